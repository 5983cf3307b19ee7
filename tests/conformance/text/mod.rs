//! Checks that the parser accepts slices as written in Python, and that they select the same elements as in NumPy.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
