//! The guides of the crate. Their Rust examples are compiled and run as doc tests.

#[doc = include_str!("../docs/larger_than_memory.md")]
pub mod larger_than_memory {}
