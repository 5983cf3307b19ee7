//! Numbers that are compared with arrays.

/// A value that is compared with every element.
#[derive(Clone, Copy, Debug)]
pub struct Scalar<'x, T: ?Sized>(pub(super) &'x T);

/// Wraps a number for a comparison.
#[inline]
pub const fn scalar<T: ?Sized>(value: &T) -> Scalar<'_, T> {
    Scalar(value)
}
