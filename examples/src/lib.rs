//! What the examples share: slices side by side, a slice in the words of every system, and output that may fail.

pub mod equivalence;
pub mod output;
pub mod systems;
