//! Contains the bodies of the fuzz targets. No input may make a body panic. cargo-fuzz runs each body until it is
//! stopped, and `tests/trust/seeded.rs` runs each body on a fixed set of inputs.

pub mod array;
pub mod assign;
pub mod dialect;
pub mod disjoint;
pub mod gather;
pub mod input;
pub mod lists;
pub mod model;
pub mod plan;
pub mod selection;
pub mod spec;
pub mod translate;
pub mod view;
