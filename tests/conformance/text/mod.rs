//! Slices as text: what Python reads is read, and means what NumPy makes of it.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
