//! A number beside an array in a comparison.

/// A value that is compared with every element.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'x, T: ?Sized>(pub(super) &'x T);

/// Where a number that is compared begins.
#[inline]
pub const fn scalar<T: ?Sized>(value: &T) -> Scalar<'_, T> {
    Scalar(value)
}
