//! `py!`: what it makes of Rust's expressions, and what it leaves unchanged. What the statements mean is compared with NumPy in
//! `table`, and what lists mean in `orders`.

mod elements;
mod items;
mod lists;
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
