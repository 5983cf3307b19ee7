//! Value expressions, such as the results of calls and blocks. A value is moved, but a view that is an operand is
//! borrowed, because ndarray does not implement operators for views that are passed by value.

use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, Ix0, Ix1, RemoveAxis};

use super::element::{Held, Indexed, OtherIndexed};
use super::shapes::check_rank;
use super::sliceable::ArrayLike;
use crate::bound::written::Is;
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::rank::{SliceFor, ViewFor};

/// A value whose type the macro does not know.
#[derive(Debug)]
pub struct ValueOperand<T>(pub(super) OtherValue<T>);

/// A value that is neither a view nor a reference to an array.
#[derive(Debug)]
pub struct OtherValue<T>(Option<T>);

impl<T> ValueOperand<T> {
    #[inline]
    pub(super) const fn new(value: T) -> Self {
        ValueOperand(OtherValue(Some(value)))
    }
}

impl<T> OtherValue<T> {
    #[inline]
    pub(super) fn get(&self) -> &T {
        self.0.as_ref().expect("an expansion takes each value once")
    }

    #[inline]
    fn take(&mut self) -> T {
        self.0.take().expect("an expansion takes each value once")
    }

    /// Returns a mutable view in a wrapper, for the expansion to dereference.
    #[inline]
    pub fn place_in_py(&mut self) -> Held<T> {
        Held(self.take())
    }

    methods! {
        "Returns the value itself."
        self: &mut Self => T, self.take(); operand_in_py owned_in_py
    }

    /// Slices a value that lives as long as the statement.
    #[inline]
    #[track_caller]
    pub fn at_in_py<'x, S, A, D, I>(&'x self, spec: I) -> ArrayView<'x, S::Elem, I::OutDim>
    where
        S: ArrayLike<A, D> + ?Sized + 'x,
        I: SliceFor<S::Dim>,
        &'x T: Is<&'x S>,
    {
        self.get().itself().all_in_py().at_move(spec)
    }
}

sliced! { ['y, T: ?Sized] ValueOperand<&'y T>, self: &mut Self, 'y => self.take(); }

impl<'a, A, D: Dimension> ValueOperand<ArrayView<'a, A, D>> {
    /// Slices a view. The result lives as long as the viewed array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: SliceFor<D>>(&mut self, spec: I) -> ArrayView<'a, A, I::OutDim> {
        self.take().at_move(spec)
    }

    /// Returns a copy of the elements, in a new array.
    pub fn owned_in_py(&mut self) -> Array<A, D>
    where
        A: Clone,
    {
        self.get().to_owned()
    }
}

impl<'a, A> ValueOperand<ArrayViewMut<'a, A, Ix0>> {
    /// Returns the element.
    #[inline]
    pub fn place_in_py(mut self) -> &'a mut A {
        self.take().into_scalar()
    }
}

impl<'a, T: ?Sized> ValueOperand<&'a mut T> {
    /// Returns the reference to an element.
    #[inline]
    pub fn place_in_py(mut self) -> &'a mut T {
        self.take()
    }
}

impl<'a, A, D: Dimension> ValueOperand<ArrayViewMut<'a, A, D>> {
    /// Slices a mutable view. The result lives as long as the viewed array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: ViewFor<D>>(&mut self, spec: I) -> ArrayViewMut<'a, A, I::View> {
        self.take().at_move(spec)
    }
}

impl<A: Clone> Indexed<ArrayView<'_, A, Ix1>> {
    /// Returns the elements of a view, for a pattern with `N` names.
    ///
    /// # Panics
    ///
    /// Panics if the view does not have `N` elements.
    #[track_caller]
    pub fn unpack_in_py<const N: usize>(&self) -> [A; N] {
        unpacked(self.value_in_py().iter().cloned())
    }
}

impl<'a, A, D: RemoveAxis> OtherIndexed<ArrayView<'a, A, D>> {
    /// Returns the subviews of a view along its first axis, for a pattern with `N` names.
    ///
    /// # Panics
    ///
    /// Panics if the view does not have `N` subviews.
    #[track_caller]
    pub fn unpack_in_py<const N: usize>(&self) -> [ArrayView<'a, A, D::Smaller>; N] {
        let view = self.value_in_py();
        check_rank(view.ndim());
        unpacked(view.into_axis_iter(Axis(0)))
    }
}

impl<A: Clone> Indexed<Array<A, Ix1>> {
    /// Returns the elements of a new array, for a pattern with `N` names.
    #[track_caller]
    pub fn unpack_in_py<const N: usize>(self) -> [A; N] {
        unpacked(self.value_in_py().into_iter())
    }
}

/// Returns the values of an iterator, or panics with Python's message if it has not as many values as there are names.
#[track_caller]
fn unpacked<T, const N: usize>(mut values: impl ExactSizeIterator<Item = T>) -> [T; N] {
    let len = values.len();
    assert!(
        len >= N,
        "not enough values to unpack (expected {N}, got {len})"
    );
    assert!(
        len == N,
        "too many values to unpack (expected {N}, got {len})"
    );
    core::array::from_fn(|_| {
        values
            .next()
            .expect("an iterator has as many values as its length")
    })
}
