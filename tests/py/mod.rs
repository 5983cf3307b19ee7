//! `py!`: what it makes of Rust's expressions, and what it leaves unchanged. What the statements mean is compared with NumPy in
//! `table`.

mod elements;
mod items;
mod lists;
mod operands;
mod order;
mod panics;
mod rust;
mod shapes;
#[rustfmt::skip]
mod table;
mod words;
mod writing;
mod written;
