//! Selections by indices alone: the element of a view of rank 0, as in NumPy, and otherwise the view.

use core::ops::{Deref, DerefMut};

use ndarray::{Array, ArrayView, ArrayViewMut, Dimension, Ix0};

use super::scalar::Scalar;
use super::target::Value;

/// The selection of some indices; the macro does not know its dimension.
#[derive(Debug)]
pub struct Indexed<T>(OtherIndexed<T>);

/// A selection with axes or of unknown rank, or of an element that cannot be copied.
#[derive(Debug)]
pub struct OtherIndexed<T>(T);

/// Where expansions begin.
#[inline]
pub const fn element<T>(selected: T) -> Indexed<T> {
    Indexed(OtherIndexed(selected))
}

impl<T> Deref for Indexed<T> {
    type Target = OtherIndexed<T>;

    #[inline]
    fn deref(&self) -> &OtherIndexed<T> {
        &self.0
    }
}

impl<'a, A> Indexed<ArrayView<'a, A, Ix0>> {
    /// The element, before a method or as a place.
    #[inline]
    pub fn subject_in_py(&self) -> &'a A {
        self.0.0.into_scalar()
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
    /// The view, before a method or as a place.
    #[inline]
    pub fn subject_in_py(&self) -> Held<ArrayView<'a, A, D>> {
        Held(self.0.clone())
    }

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

/// A view where a reference to an element could be.
#[derive(Debug)]
pub struct Held<T>(T);

impl<T> Deref for Held<T> {
    type Target = T;

    #[inline]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Held<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

/// The mutable selection of some indices.
#[derive(Debug)]
pub struct IndexedMut<T>(OtherIndexedMut<T>);

/// A mutable selection with axes.
#[derive(Debug)]
pub struct OtherIndexedMut<T>(Option<T>);

/// Where expansions that write begin.
#[inline]
pub const fn element_mut<T>(selected: T) -> IndexedMut<T> {
    IndexedMut(OtherIndexedMut(Some(selected)))
}

impl<T> Deref for IndexedMut<T> {
    type Target = OtherIndexedMut<T>;

    #[inline]
    fn deref(&self) -> &OtherIndexedMut<T> {
        &self.0
    }
}

impl<T> DerefMut for IndexedMut<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut OtherIndexedMut<T> {
        &mut self.0
    }
}

impl<'a, A> IndexedMut<ArrayViewMut<'a, A, Ix0>> {
    /// The element.
    #[inline]
    pub fn place_in_py(self) -> &'a mut A {
        self.0.0.expect("an expansion asks once").into_scalar()
    }
}

impl<T> OtherIndexedMut<T> {
    /// The view.
    #[inline]
    pub fn place_in_py(&mut self) -> Held<T> {
        Held(self.0.take().expect("an expansion asks once"))
    }
}
