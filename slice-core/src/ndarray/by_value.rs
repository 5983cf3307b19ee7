//! The trait [`StridedSliceMove`], which slices arrays and views by value.

use ndarray::{
    ArcArray, Array, ArrayBase, ArrayView, ArrayViewMut, Axis, CowArray, Dimension, RawData, Slice,
};

use super::bridge;
use super::rank::SliceFor;
use super::sealed;
use crate::error::SliceError;
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Selection;
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
    fn at_move<I: SliceFor<D, OutDim = O>, O: Dimension>(self, spec: I) -> Self::Sliced<O> {
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
    fn try_at_move<I: SliceFor<D>>(self, spec: I) -> Result<Self::Sliced<I::OutDim>, SliceError>;
}

impl<'a, A, D: Dimension> StridedSliceMove<D> for ArrayView<'a, A, D> {
    type Sliced<O: Dimension> = ArrayView<'a, A, O>;

    #[inline]
    fn try_at_move<I: SliceFor<D>>(self, spec: I) -> Result<Self::Sliced<I::OutDim>, SliceError> {
        bridge::slice_view(self, &spec)
    }
}

impl<'a, A, D: Dimension> StridedSliceMove<D> for ArrayViewMut<'a, A, D> {
    type Sliced<O: Dimension> = ArrayViewMut<'a, A, O>;

    #[inline]
    fn try_at_move<I: SliceFor<D>>(self, spec: I) -> Result<Self::Sliced<I::OutDim>, SliceError> {
        bridge::slice_view_mut(self, &spec)
    }
}

macro_rules! owned {
    ($($array:ident $([$a:lifetime])?)*) => { $(
        impl<$($a,)? A, D: Dimension> StridedSliceMove<D> for $array<$($a,)? A, D> {
            type Sliced<O: Dimension> = $array<$($a,)? A, O>;

            fn try_at_move<I: SliceFor<D>>(
                self,
                spec: I,
            ) -> Result<Self::Sliced<I::OutDim>, SliceError> {
                let selection = spec.selection(self.shape())?;
                slice_array(self, &selection)
            }
        }
    )* };
}

owned! { Array ArcArray CowArray['a] }

/// Slices an array with ndarray's own methods, which work for every kind of array. `O` is the dimension of the result.
fn slice_array<S: RawData<Elem = A>, A, D: Dimension, O: Dimension>(
    array: ArrayBase<S, D, A>,
    selection: &Selection,
) -> Result<ArrayBase<S, O, A>, SliceError> {
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
            ResolvedStep::Joined(_) => return Err(SliceError::NotStrided),
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
