//! Shared code of the examples: slices side by side, and output that may fail.

pub mod equivalence;
pub mod output;
