//! What must hold whatever the input: the bodies that cargo-fuzz runs without end, and that
//! `tests/trust/seeded.rs` runs a bounded number of times.

pub mod array;
pub mod assign;
pub mod dialect;
pub mod disjoint;
pub mod gather;
pub mod input;
pub mod model;
pub mod plan;
pub mod selection;
pub mod spec;
pub mod translate;
pub mod view;
