//! What constants hold is what NumPy and the library at run time say.

#[expect(clippy::type_complexity, reason = "shapes of six axes")]
mod cases;
mod erased;
mod golden;
mod one_axis;
