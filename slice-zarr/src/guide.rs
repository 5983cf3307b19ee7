//! Guides, whose Rust examples are compiled and run.

#[doc = include_str!("../docs/larger_than_memory.md")]
pub mod larger_than_memory {}
