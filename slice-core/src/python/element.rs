//! What indices alone select: of a view of rank 0 the element itself, as in NumPy, and otherwise the view.

use ndarray::{Array, ArrayView, Dimension, Ix0};

use super::scalar::Scalar;
use super::target::Value;

/// What indices select, of a dimension that the macro does not know.
#[derive(Debug)]
pub struct Indexed<T>(OtherIndexed<T>);

/// The same, if it has axes, if their number is not known, or if the element cannot be copied.
#[derive(Debug)]
pub struct OtherIndexed<T>(T);

/// Where expansions begin.
#[inline]
pub const fn element<T>(selected: T) -> Indexed<T> {
    Indexed(OtherIndexed(selected))
}

impl<T> core::ops::Deref for Indexed<T> {
    type Target = OtherIndexed<T>;

    #[inline]
    fn deref(&self) -> &OtherIndexed<T> {
        &self.0
    }
}

impl<'a, A: Clone> Indexed<ArrayView<'a, A, Ix0>> {
    /// The element.
    #[inline]
    pub fn value_in_py(&self) -> A {
        self.0.0[()].clone()
    }

    /// The element, as an operand.
    #[inline]
    pub fn operand_in_py(&self) -> A {
        self.value_in_py()
    }

    /// The element.
    #[inline]
    pub fn owned_in_py(&self) -> A {
        self.value_in_py()
    }

    /// The element, to be assigned.
    #[inline]
    pub fn values_in_py(&self) -> Value<A> {
        Value(self.value_in_py())
    }

    /// The element, before a method that reads.
    #[inline]
    pub fn receiver_in_py(&self) -> &'a A {
        self.0.0.into_scalar()
    }

    /// The element, to be compared.
    #[inline]
    pub fn compared_in_py(&self) -> Scalar<'a, A> {
        Scalar(self.0.0.into_scalar())
    }
}

impl<'a, A, D: Dimension> OtherIndexed<ArrayView<'a, A, D>> {
    /// The view.
    #[inline]
    pub fn value_in_py(&self) -> ArrayView<'a, A, D> {
        self.0.clone()
    }

    /// The view, before a method that reads.
    #[inline]
    pub fn receiver_in_py(&self) -> ArrayView<'a, A, D> {
        self.0.clone()
    }

    /// The elements, in an array of their own.
    pub fn owned_in_py(&self) -> Array<A, D>
    where
        A: Clone,
    {
        self.0.to_owned()
    }

    /// The view, borrowed.
    #[inline]
    pub fn operand_in_py(&self) -> &ArrayView<'a, A, D> {
        &self.0
    }

    /// The view, borrowed.
    #[inline]
    pub fn values_in_py(&self) -> &ArrayView<'a, A, D> {
        &self.0
    }

    /// The view, borrowed.
    #[inline]
    pub fn compared_in_py(&self) -> &ArrayView<'a, A, D> {
        &self.0
    }
}
