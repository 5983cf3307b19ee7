//! Checks which expressions `py!` rewrites, and which expressions keep their Rust meaning. Some modules compare results with
//! NumPy's: `numpy_statements` for statements, `numpy_lists` for slices with lists and masks, `numpy_advice` for suggested code,
//! and `table` for each kind of index in each context after each kind of container.

mod advice;
mod brackets;
mod cells;
mod elements;
mod evaluation;
mod functions;
mod items;
mod lists;
#[rustfmt::skip]
mod numpy_advice;
mod masks;
#[rustfmt::skip]
mod numpy_lists;
#[rustfmt::skip]
mod numpy_statements;
mod operands;
mod panics;
mod ports;
mod rows;
mod rust;
mod shapes;
#[rustfmt::skip]
#[allow(
    clippy::assign_op_pattern,
    clippy::match_single_binding,
    clippy::needless_return,
    clippy::op_ref,
    clippy::redundant_slicing,
    clippy::useless_vec,
    unused_mut,
    unused_variables,
    reason = "the cells are written as in NumPy, in every context, and each container and its variables are declared once"
)]
mod table;
mod targets;
mod views;
mod writing;
