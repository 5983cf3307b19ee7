//! Checks that slices in constants give the results of NumPy and of the library at run time.

#[expect(clippy::type_complexity, reason = "arrays are nested to six axes")]
mod cases;
mod erased;
mod golden;
mod one_axis;
