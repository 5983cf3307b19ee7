//! What the examples share: slices side by side, and output that may fail.

pub mod equivalence;
pub mod output;
