//! The trait [`StridedSliceMove`], which slices arrays and views by value.

#[cfg(doc)]
use ndarray::{ArcArray, Array, ArrayView, ArrayViewMut, CowArray};
use ndarray::{
    ArrayBase, Axis, CowRepr, Dimension, OwnedArcRepr, OwnedRepr, RawData, Slice, ViewRepr,
};

use super::bridge;
use super::rank::{SliceFor, ViewFor};
use super::sealed;
use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::step::ResolvedStep;

/// Slicing of arrays and views by value, with [`s!`](crate::s!).
///
/// For [`ArrayView`] and [`ArrayViewMut`], the result has the same lifetime parameter as `self`, so it can outlive the
/// variable that holds `self`. For [`Array`], [`ArcArray`] and [`CowArray`], the result is an array of the same kind.
/// Nothing is copied, so an owned result keeps the whole allocation, including the elements that are not selected.
///
/// # Example
///
/// ```
/// use ndarray::{Array1, Array2, array};
/// use slice_core::{StridedSliceMove, s};
///
/// fn last_column(table: Array2<i32>) -> Array1<i32> {
///     table.at_move(s![:, -1])
/// }
/// assert_eq!(last_column(array![[1, 2], [3, 4]]), array![2, 4]);
/// ```
pub trait StridedSliceMove<D: Dimension>: sealed::Array + Sized {
    /// An array or view of the same kind, with the dimension `O`.
    type Sliced<O: Dimension>;

    /// Returns the selected elements, in an array or view of the same kind.
    ///
    /// Python equivalent: `x = x[spec]`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_at_move`](Self::try_at_move) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{ArrayView1, ArrayView2, array};
    /// use slice_core::{StridedSliceMove, s};
    ///
    /// fn last_row<'a>(rows: ArrayView2<'a, i32>) -> ArrayView1<'a, i32> {
    ///     rows.at_move(s![-1])
    /// }
    /// assert_eq!(last_row(array![[1, 2], [3, 4]].view()), array![3, 4]);
    /// ```
    #[inline]
    #[track_caller]
    fn at_move<I: ViewFor<D>>(self, spec: I) -> Self::Sliced<I::View> {
        match self.try_at_move(spec) {
            Ok(sliced) => sliced,
            Err(error) => error.panic(),
        }
    }

    /// Fallible version of [`at_move`](Self::at_move). If there is an error, `self` is dropped.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceMove, s};
    ///
    /// assert_eq!(array![[1, 2], [3, 4]].try_at_move(s![:, -1])?, array![2, 4]);
    /// assert!(array![[1, 2], [3, 4]].try_at_move(s![2]).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    fn try_at_move<I: ViewFor<D>>(self, spec: I) -> Result<Self::Sliced<I::View>, SliceError>;
}

impl<S: ByValue, D: Dimension> StridedSliceMove<D> for ArrayBase<S, D> {
    type Sliced<O: Dimension> = ArrayBase<S, O>;

    #[inline]
    fn try_at_move<I: ViewFor<D>>(self, spec: I) -> Result<Self::Sliced<I::View>, SliceError> {
        S::slice(self, &spec)
    }
}

/// The storage of arrays and views that can be sliced by value: of all arrays and views except raw views.
pub trait ByValue: RawData {
    /// Returns the selected elements, in an array or view of the same kind.
    fn slice<D: Dimension, I: SliceFor<D>>(
        array: ArrayBase<Self, D>,
        spec: &I,
    ) -> Result<ArrayBase<Self, I::OutDim>, SliceError>
    where
        Self: Sized;
}

macro_rules! by_value {
    ($([$($generics:tt)*] $storage:ty => $slice:path;)*) => { $(
        impl<$($generics)*> ByValue for $storage {
            #[inline]
            fn slice<D: Dimension, I: SliceFor<D>>(
                array: ArrayBase<Self, D>,
                spec: &I,
            ) -> Result<ArrayBase<Self, I::OutDim>, SliceError> {
                $slice(array, spec)
            }
        }
    )* };
}

by_value! {
    [A] ViewRepr<&A> => bridge::slice_view;
    [A] ViewRepr<&mut A> => bridge::slice_view_mut;
    [A] OwnedRepr<A> => slice_array;
    [A] OwnedArcRepr<A> => slice_array;
    [A] CowRepr<'_, A> => slice_array;
}

/// Slices an array with ndarray's own methods, which work for every kind of array.
fn slice_array<S: RawData, D: Dimension, I: SliceFor<D>>(
    array: ArrayBase<S, D>,
    spec: &I,
) -> Result<ArrayBase<S, I::OutDim>, SliceError> {
    let selection = spec.selection(array.shape())?;
    let mut array = array.into_dyn();
    let mut axis = 0;
    for step in selection.resolved_steps() {
        match step {
            ResolvedStep::Keep(range) => {
                array.slice_axis_inplace(Axis(axis), ascending_slice(range));
                if range.step < 0 {
                    array.invert_axis(Axis(axis));
                }
                axis += 1;
            }
            ResolvedStep::Drop(position) => array = array.index_axis_move(Axis(axis), position),
            ResolvedStep::Insert { len } => {
                array = array.insert_axis(Axis(axis));
                array.slice_axis_inplace(Axis(axis), Slice::from(..len));
                axis += 1;
            }
            ResolvedStep::List(_) => return Err(SliceError::NotStrided),
        }
    }
    match array.into_dimensionality() {
        Ok(array) => Ok(array),
        Err(_) => unreachable!("the rank matches the type"),
    }
}

/// Returns the positions of a range in ascending order, as an ndarray `Slice`.
fn ascending_slice(range: AxisRange) -> Slice {
    let AxisRange { start, step, len } = range.ascending();
    let end = match len {
        0 => start,
        _ => start + (len - 1) * step.unsigned_abs() + 1,
    };
    Slice::new(start as isize, Some(end as isize), step)
}
