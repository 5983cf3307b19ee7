//! The *parts* of an array, which are the values that a `for` loop iterates over: the elements of an array with one
//! axis, or the rows of an array with several axes, as in NumPy.

use alloc::vec;
use alloc::vec::Vec;

use ndarray::iter::{Iter, IterMut};
use ndarray::{
    Array, ArrayView, ArrayViewMut, Axis, Dimension, Ix0, Ix1, Ix2, Ix3, Ix4, Ix5, Ix6, IxDyn,
    RemoveAxis,
};

use super::element::{Indexed, OtherIndexed};

/// Dimensions that determine whether a `for` loop over an array iterates over elements or over rows.
#[diagnostic::on_unimplemented(
    message = "a `for` loop cannot iterate over an array of dimension `{Self}`",
    label = "iterate over elements or over rows?",
    note = "to iterate over elements, write `x[...].iter()`; to iterate over rows, write `x[...].outer_iter()`"
)]
pub trait LoopParts: Dimension {
    /// The iterator over the parts of a view.
    #[doc(hidden)]
    type Parts<'a, A: 'a>: Iterator;
    /// The iterator over the parts of a mutable view.
    #[doc(hidden)]
    type PartsMut<'a, A: 'a>: Iterator;
    /// The iterator over the parts of an owned array.
    #[doc(hidden)]
    type OwnedParts<A: Clone>: Iterator;

    /// Returns the parts of a view.
    #[doc(hidden)]
    fn parts<A>(view: ArrayView<'_, A, Self>) -> Self::Parts<'_, A>;
    /// Returns the parts of a mutable view.
    #[doc(hidden)]
    fn parts_mut<A>(view: ArrayViewMut<'_, A, Self>) -> Self::PartsMut<'_, A>;
    /// Returns the parts of an array.
    #[doc(hidden)]
    fn owned_parts<A: Clone>(array: Array<A, Self>) -> Self::OwnedParts<A>;
}

impl LoopParts for Ix1 {
    type Parts<'a, A: 'a> = Iter<'a, A, Ix1>;
    type PartsMut<'a, A: 'a> = IterMut<'a, A, Ix1>;
    type OwnedParts<A: Clone> = vec::IntoIter<A>;

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
        impl LoopParts for $dim {
            type Parts<'a, A: 'a> = Rows<'a, A, $dim>;
            type PartsMut<'a, A: 'a> = RowsMut<'a, A, $dim>;
            type OwnedParts<A: Clone> = vec::IntoIter<Array<A, <$dim as Dimension>::Smaller>>;

            #[inline]
            fn parts<A>(view: ArrayView<'_, A, $dim>) -> Rows<'_, A, $dim> {
                Rows { rest: view }
            }

            #[inline]
            fn parts_mut<A>(view: ArrayViewMut<'_, A, $dim>) -> RowsMut<'_, A, $dim> {
                RowsMut { rest: Some(view) }
            }

            fn owned_parts<A: Clone>(array: Array<A, $dim>) -> Self::OwnedParts<A> {
                let rows: Vec<_> = array.outer_iter().map(|row| row.to_owned()).collect();
                rows.into_iter()
            }
        }
    )* };
}

rows! { Ix2 Ix3 Ix4 Ix5 Ix6 IxDyn }

/// An iterator over the rows of a view.
#[derive(Clone, Debug)]
pub struct Rows<'a, A, D: Dimension> {
    rest: ArrayView<'a, A, D>,
}

impl<'a, A, D: RemoveAxis> Iterator for Rows<'a, A, D> {
    type Item = ArrayView<'a, A, D::Smaller>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.len_of(Axis(0)) == 0 {
            return None;
        }
        let (first, rest) = self.rest.clone().split_at(Axis(0), 1);
        self.rest = rest;
        Some(first.index_axis_move(Axis(0), 0))
    }
}

/// An iterator over the rows of a mutable view.
#[derive(Debug)]
pub struct RowsMut<'a, A, D: Dimension> {
    rest: Option<ArrayViewMut<'a, A, D>>,
}

impl<'a, A, D: RemoveAxis> Iterator for RowsMut<'a, A, D> {
    type Item = ArrayViewMut<'a, A, D::Smaller>;

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.take()?;
        if rest.len_of(Axis(0)) == 0 {
            return None;
        }
        let (first, rest) = rest.split_at(Axis(0), 1);
        self.rest = Some(rest);
        Some(first.index_axis_move(Axis(0), 0))
    }
}

/// Returns the parts in `for part in x[1:]`.
#[inline]
pub fn parts<A, D: LoopParts>(view: ArrayView<'_, A, D>) -> D::Parts<'_, A> {
    D::parts(view)
}

/// Returns the parts in `for part in &mut x[1:]`.
#[inline]
pub fn parts_mut<A, D: LoopParts>(view: ArrayViewMut<'_, A, D>) -> D::PartsMut<'_, A> {
    D::parts_mut(view)
}

/// Returns the parts in `for part in x[[0, 2],]`.
#[inline]
pub fn owned_parts<A: Clone, D: LoopParts>(array: Array<A, D>) -> D::OwnedParts<A> {
    D::owned_parts(array)
}

#[doc(hidden)]
impl<A: Clone> Indexed<ArrayView<'_, A, Ix0>> {
    /// Returns a clone of the element. The expansion compiles only if the element can be iterated over.
    #[inline]
    pub fn parts_in_py(&self) -> A {
        self.value_in_py()
    }
}

impl<'a, A, D: LoopParts> OtherIndexed<ArrayView<'a, A, D>> {
    /// Returns the parts of the view.
    #[inline]
    pub fn parts_in_py(&self) -> D::Parts<'a, A> {
        D::parts(self.value_in_py())
    }
}

#[doc(hidden)]
impl<A: Clone, D: LoopParts> Indexed<Array<A, D>> {
    /// Returns the parts of a new array.
    #[inline]
    pub fn parts_in_py(self) -> D::OwnedParts<A> {
        D::owned_parts(self.value_in_py())
    }
}
