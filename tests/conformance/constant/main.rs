//! What constants hold is what NumPy and the library at run time say.

mod cases;
mod golden;
mod one_axis;
