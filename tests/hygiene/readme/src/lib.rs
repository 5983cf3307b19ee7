//! Compiles the README's snippets with only the crates that the README names.

#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;
