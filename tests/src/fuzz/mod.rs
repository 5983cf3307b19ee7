//! Bodies of the fuzz targets. No input may make them fail. cargo-fuzz runs them endlessly, and `tests/trust/seeded.rs`
//! runs them a bounded number of times.

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
