//! Slices as text: the parser accepts Python's texts, and they select the same as in NumPy.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
