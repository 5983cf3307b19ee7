//! Tests of `py!`: which expressions it rewrites, and which keep their meaning in Rust. The modules `table` and
//! `orders` are generated. They compare results with NumPy's: `table` for statements, and `orders` for slices with
//! lists and masks.

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
