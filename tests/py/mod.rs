//! Checks which expressions `py!` rewrites, and which expressions keep their Rust meaning. The generated modules
//! compare results with NumPy's: `numpy_statements` for statements, and `numpy_lists` for slices with lists and masks.

mod advice;
mod elements;
mod evaluation;
mod functions;
mod items;
mod lists;
mod masks;
#[rustfmt::skip]
mod numpy_lists;
#[rustfmt::skip]
mod numpy_statements;
mod brackets;
mod operands;
mod panics;
mod rows;
mod rust;
mod shapes;
mod targets;
mod views;
mod writing;
