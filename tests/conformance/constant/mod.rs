//! Checks that slices evaluated at compile time give the same results as NumPy, and the same results as at run time.

#[expect(
    clippy::type_complexity,
    reason = "the arrays are nested up to six levels deep"
)]
mod cases;
mod erased;
mod golden;
mod one_axis;
