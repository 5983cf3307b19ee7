//! Values that are compared with the elements of arrays.

/// A value that is compared with every element of an array.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'x, T: ?Sized>(pub(super) &'x T);

/// Wraps a value for a comparison.
#[inline]
pub const fn scalar<T: ?Sized>(value: &T) -> Scalar<'_, T> {
    Scalar(value)
}
