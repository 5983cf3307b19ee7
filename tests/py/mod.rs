//! Tests of `py!`: which expressions it changes, and which keep Rust's meaning. The results of statements are compared
//! with NumPy in `table`, and those of lists in `orders`.

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
mod rust;
mod shapes;
#[rustfmt::skip]
mod table;
mod words;
mod writing;
mod written;
