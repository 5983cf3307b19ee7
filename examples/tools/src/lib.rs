//! What the examples that draw share.

pub mod pictures;
