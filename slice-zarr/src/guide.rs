//! Guides: longer texts, every line of Rust in them compiled and run.

#[doc = include_str!("../docs/larger_than_memory.md")]
pub mod larger_than_memory {}
