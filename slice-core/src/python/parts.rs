//! The *parts* of an array, which are the values that a `for` loop iterates over: the elements of an array with one
//! axis, or the rows of an array with several axes, as in NumPy.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use ndarray::iter::{AxisIter, AxisIterMut, Iter, IterMut};
use ndarray::{
    Array, ArrayView, ArrayViewMut, Axis, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
};

use super::assign::{ElementAt, PartAt};
use super::shapes::check_rank;
use crate::bound::{IndexBound, number};
use crate::choice::{FirstChoice, SecondChoice};
use crate::resolve::walk::index_at;
use crate::spec::item::saturate;
use crate::spec::kind::Index;
use crate::spec::slice_spec::{Kinds, SliceSpec};

/// A slice that consists of one index.
pub(super) type OneIndex = SliceSpec<1, (Index, ())>;

/// Returns the slice that consists of `index`.
#[inline]
pub(super) fn one_index<I: IndexBound>(index: I) -> OneIndex {
    of_indices([saturate(number(index))])
}

/// Returns the slice that consists of `indices`. `K` contains the kind of each index.
#[inline]
pub(super) fn of_indices<const N: usize, K: Kinds>(indices: [i64; N]) -> SliceSpec<N, K> {
    let end = indices.map(|index| index.saturating_add(1));
    SliceSpec::__encoded(indices, end, [1; N], 0, 0)
}

/// Dimensions of arrays with a first axis. The dimension determines whether an index selects an element or a row, and
/// whether a `for` loop over an array iterates over elements or over rows.
#[diagnostic::on_unimplemented(
    message = "a `for` loop cannot iterate over an array of dimension `{Self}`",
    label = "iterate over elements or over rows?",
    note = "to iterate over elements, write `x[...].iter()`; to iterate over rows, write `x[...].outer_iter()`"
)]
pub trait FirstAxis: Dimension {
    /// The target of an assignment to an element or a row.
    type At;
    /// The iterator over the parts of a view.
    type Parts<'a, A: 'a>: Iterator;
    /// The iterator over the parts of a mutable view.
    type PartsMut<'a, A: 'a>: Iterator;
    /// The iterator over the parts of an owned array.
    type OwnedParts<A: Clone>: Iterator;

    /// Returns the target at an index. A negative index counts from the end.
    fn at<I: IndexBound>(index: I, shape: &[usize]) -> Self::At;
    /// Returns the parts of a view.
    fn parts<A>(view: ArrayView<'_, A, Self>) -> Self::Parts<'_, A>;
    /// Returns the parts of a mutable view.
    fn parts_mut<A>(view: ArrayViewMut<'_, A, Self>) -> Self::PartsMut<'_, A>;
    /// Returns the parts of an array.
    fn owned_parts<A: Clone>(array: Array<A, Self>) -> Self::OwnedParts<A>;
}

impl FirstAxis for Ix1 {
    type At = ElementAt<usize>;
    type Parts<'a, A: 'a> = Iter<'a, A, Ix1>;
    type PartsMut<'a, A: 'a> = IterMut<'a, A, Ix1>;
    type OwnedParts<A: Clone> = vec::IntoIter<A>;

    #[inline]
    #[track_caller]
    fn at<I: IndexBound>(index: I, shape: &[usize]) -> ElementAt<usize> {
        match index_at(0, 0, saturate(number(index)), shape[0]) {
            Ok(position) => ElementAt(position),
            Err(error) => error.panic(),
        }
    }

    #[inline]
    fn parts<A>(view: ArrayView<'_, A, Ix1>) -> Iter<'_, A, Ix1> {
        view.into_iter()
    }

    #[inline]
    fn parts_mut<A>(view: ArrayViewMut<'_, A, Ix1>) -> IterMut<'_, A, Ix1> {
        view.into_iter()
    }

    fn owned_parts<A: Clone>(array: Array<A, Ix1>) -> vec::IntoIter<A> {
        array.into_iter().collect::<Vec<A>>().into_iter()
    }
}

macro_rules! rows {
    ($($dim:ty)*) => { $(
        impl FirstAxis for $dim {
            type At = PartAt<OneIndex, ()>;
            type Parts<'a, A: 'a> = AxisIter<'a, A, <$dim as Dimension>::Smaller>;
            type PartsMut<'a, A: 'a> = AxisIterMut<'a, A, <$dim as Dimension>::Smaller>;
            type OwnedParts<A: Clone> = vec::IntoIter<Array<A, <$dim as Dimension>::Smaller>>;

            #[inline]
            fn at<I: IndexBound>(index: I, _: &[usize]) -> Self::At {
                PartAt(one_index(index), PhantomData)
            }

            #[inline]
            #[track_caller]
            fn parts<A>(view: ArrayView<'_, A, $dim>) -> Self::Parts<'_, A> {
                check_rank(view.ndim());
                view.into_axis_iter(Axis(0))
            }

            #[inline]
            #[track_caller]
            fn parts_mut<A>(view: ArrayViewMut<'_, A, $dim>) -> Self::PartsMut<'_, A> {
                check_rank(view.ndim());
                view.into_axis_iter_mut(Axis(0))
            }

            #[track_caller]
            fn owned_parts<A: Clone>(array: Array<A, $dim>) -> Self::OwnedParts<A> {
                check_rank(array.ndim());
                let rows: Vec<_> = array.outer_iter().map(|row| row.to_owned()).collect();
                rows.into_iter()
            }
        }
    )* };
}

rows! { Ix2 Ix3 Ix4 Ix5 Ix6 IxDyn }

/// Returns the parts in `for part in &mut x[1:]`.
#[inline]
#[track_caller]
pub fn parts_mut<A, D: FirstAxis>(view: ArrayViewMut<'_, A, D>) -> D::PartsMut<'_, A> {
    D::parts_mut(view)
}

impl<'a, A, D: Dimension> SecondChoice<ArrayView<'a, A, D>> {
    /// Returns the parts of the view.
    #[inline]
    #[track_caller]
    pub fn parts_in_py(&self) -> D::Parts<'a, A>
    where
        D: FirstAxis,
    {
        D::parts(self.value_in_py())
    }
}

impl<A: Clone, D: FirstAxis> FirstChoice<Array<A, D>> {
    /// Returns the parts of a new array.
    #[inline]
    #[track_caller]
    pub fn parts_in_py(self) -> D::OwnedParts<A> {
        D::owned_parts(self.value_in_py())
    }
}
