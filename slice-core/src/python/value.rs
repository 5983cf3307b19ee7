//! Value expressions, such as the results of calls and blocks. A value is moved, but a view that is an operand is
//! borrowed, because ndarray does not implement operators for views that are passed by value.

use ndarray::{Array, ArrayView, ArrayViewMut, Axis, Dimension, Ix0, Ix1, RemoveAxis};

use super::element::Held;
use super::shapes::check_rank;
use super::sliceable::ArrayLike;
use crate::choice::{FirstChoice, Is, LastChoice, SecondChoice};
use crate::ndarray::by_value::StridedSliceMove;
use crate::ndarray::rank::{SliceFor, ViewFor};

/// A value that is moved out once.
#[derive(Debug)]
pub struct Moved<T>(pub(super) Option<T>);

impl<T> LastChoice<Moved<T>> {
    #[inline]
    pub(super) fn get(&self) -> &T {
        let value = self.inside().0.as_ref();
        value.expect("an expansion takes each value once")
    }

    #[inline]
    pub(super) fn take(&mut self) -> T {
        let value = self.inside_mut().0.take();
        value.expect("an expansion takes each value once")
    }
}

impl<T> SecondChoice<Moved<T>> {
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

sliced! { ['y, T: ?Sized] FirstChoice<Moved<&'y T>>, self: &mut Self, 'y => self.take(); }

impl<'a, A, D: Dimension> FirstChoice<Moved<ArrayView<'a, A, D>>> {
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

impl<'a, A> FirstChoice<Moved<ArrayViewMut<'a, A, Ix0>>> {
    /// Returns the element.
    #[inline]
    pub fn place_in_py(mut self) -> &'a mut A {
        self.take().into_scalar()
    }
}

impl<'a, T: ?Sized> FirstChoice<Moved<&'a mut T>> {
    /// Returns the reference to an element.
    #[inline]
    pub fn place_in_py(mut self) -> &'a mut T {
        self.take()
    }
}

impl<'a, A, D: Dimension> FirstChoice<Moved<ArrayViewMut<'a, A, D>>> {
    /// Slices a mutable view. The result lives as long as the viewed array.
    #[inline]
    #[track_caller]
    pub fn at_in_py<I: ViewFor<D>>(&mut self, spec: I) -> ArrayViewMut<'a, A, I::View> {
        self.take().at_move(spec)
    }
}

impl<A: Clone> FirstChoice<ArrayView<'_, A, Ix1>> {
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

impl<'a, A, D: RemoveAxis> SecondChoice<ArrayView<'a, A, D>> {
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

impl<A: Clone> FirstChoice<Array<A, Ix1>> {
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
