//! Checks that the parser accepts Python's texts of slices, and that they select the same elements as in NumPy.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
