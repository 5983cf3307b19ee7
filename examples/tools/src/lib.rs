//! Code shared by the examples that draw pictures.

pub mod pictures;
