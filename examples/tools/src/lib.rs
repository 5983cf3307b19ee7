//! Shared code of the examples that draw pictures.

pub mod pictures;
