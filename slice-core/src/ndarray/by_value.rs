//! The methods that views get beside those of arrays.

#![allow(unsafe_code)]

use ndarray::{ArrayView, ArrayViewMut, Dimension};

use super::rank::SliceFor;
use super::sealed;
use crate::error::SliceError;

/// Slicing of a view by value, so that the result lives as long as the array and not only as long as the view.
///
/// Implemented for [`ArrayView`] and [`ArrayViewMut`].
pub trait StridedSliceMove<D: Dimension>: sealed::Array + Sized {
    /// The same kind of view with another dimension.
    type View<O: Dimension>;

    /// A view of the selected elements with the lifetime of `self`.
    ///
    /// Python equivalent: `x = x[spec]`.
    ///
    /// # Panics
    ///
    /// As [`StridedSliceExt::at`](crate::StridedSliceExt::at).
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
    #[track_caller]
    fn at_move<I: SliceFor<D>>(self, spec: I) -> Self::View<I::OutDim> {
        match self.try_at_move(spec) {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }

    /// A view of the selected elements with the lifetime of `self`, or why there is none.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    fn try_at_move<I: SliceFor<D>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError>;
}

impl<'a, A, D: Dimension> StridedSliceMove<D> for ArrayView<'a, A, D> {
    type View<O: Dimension> = ArrayView<'a, A, O>;

    #[inline]
    fn try_at_move<I: SliceFor<D>>(self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        let parts = spec.parts(self.shape(), self.strides())?;
        // SAFETY: the pointer is that of `self`, for whose shape and strides the slice was resolved; the elements may
        // be read for `'a`.
        Ok(unsafe { parts.view(self.as_ptr()) })
    }
}

impl<'a, A, D: Dimension> StridedSliceMove<D> for ArrayViewMut<'a, A, D> {
    type View<O: Dimension> = ArrayViewMut<'a, A, O>;

    #[inline]
    fn try_at_move<I: SliceFor<D>>(mut self, spec: I) -> Result<Self::View<I::OutDim>, SliceError> {
        let parts = spec.parts(self.shape(), self.strides())?;
        // SAFETY: the pointer is that of `self`, for whose shape and strides the slice was resolved; the elements may
        // be written for `'a`, and `self`, the only way to them, is used up.
        Ok(unsafe { parts.view_mut(self.as_mut_ptr()) })
    }
}
