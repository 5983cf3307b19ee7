//! Code shared by the examples: comparison tables, translation to every system, and printing that handles write errors.

pub mod equivalence;
pub mod output;
pub mod systems;
