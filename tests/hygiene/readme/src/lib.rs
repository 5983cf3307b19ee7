//! The README's snippets, compiled with the crates that it names.

#[cfg(doctest)]
#[doc = include_str!("../../../../README.md")]
struct Readme;
