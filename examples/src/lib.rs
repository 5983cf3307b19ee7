//! Shared code of the examples: slices side by side, a slice as every system writes it, and output that may fail.

pub mod equivalence;
pub mod output;
pub mod systems;
