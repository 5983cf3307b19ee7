//! Checks that the parser accepts slices in Python's notation, and that the parsed slices select the same elements as
//! in NumPy.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
