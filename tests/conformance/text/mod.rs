//! Slices as text: what Python accepts is accepted, and selects what NumPy selects.

mod macro_table;
mod mistakes;
mod numpy;
mod random;
