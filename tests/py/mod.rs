//! Checks which expressions `py!` rewrites, and which expressions keep their Rust meaning. The generated modules
//! `numpy_statements` and `numpy_lists` compare the results of statements, and of slices with lists and masks, with
//! NumPy's results.

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
mod operands;
mod panics;
mod rows;
mod rust;
mod shapes;
mod targets;
mod views;
mod writing;
