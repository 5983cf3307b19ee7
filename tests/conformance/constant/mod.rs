//! Checks that slices in constants have the same results as in NumPy, and as at run time.

#[expect(clippy::type_complexity, reason = "arrays are nested to six axes")]
mod cases;
mod erased;
mod golden;
mod one_axis;
