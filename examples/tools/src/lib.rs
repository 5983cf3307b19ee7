//! Shared code of the examples that draw.

pub mod pictures;
