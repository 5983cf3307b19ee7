//! Tests of `py!`: which expressions it changes, and which keep Rust's meaning. `table` compares the results of
//! statements with NumPy, and `orders` compares the results of slices with lists.

mod advice;
mod elements;
mod items;
mod lists;
mod masks;
mod operands;
mod order;
#[rustfmt::skip]
mod orders;
mod panics;
mod rows;
mod rust;
mod shapes;
#[rustfmt::skip]
mod table;
mod views;
mod words;
mod writing;
mod written;
