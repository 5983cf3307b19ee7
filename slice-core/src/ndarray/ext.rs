//! The methods that every ndarray array and view gets.

#![allow(unsafe_code)]

use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dimension};

use super::assign::{assign, fill};
use super::disjoint::{SlicesFor, disjoint};
use super::gather::gather;
use super::rank::SliceFor;
use super::sealed;
use crate::error::SliceError;

/// Slicing of ndarray arrays with [`s!`](crate::s!).
///
/// Implemented for owned, shared and copy-on-write arrays and for views (through [`ArrayRef`], to which all of them
/// dereference), of every dimension. The dimension of the result is computed at compile time; consuming more axes than
/// a static dimension has does not compile. With a [`DynSliceSpec`](crate::DynSliceSpec) the result is `IxDyn`.
pub trait StridedSliceExt<A, D: Dimension>: sealed::Array {
    /// A view of the selected elements; nothing is copied, whatever the strides.
    ///
    /// Python equivalent: `x[spec]`.
    ///
    /// # Panics
    ///
    /// Where [`try_at`](Self::try_at) fails; the message names item, axis and numbers, and points
    /// at the caller.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array3, ArrayView4, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let a = array![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(a.at(s![::-1, 1:]), array![[5, 6], [2, 3]]);
    ///
    /// let a = Array3::<f32>::zeros((4, 5, 6));
    /// let v: ArrayView4<f32> = a.at(s![1:, ..., newaxis, :-3:-1]);
    /// assert_eq!(v.shape(), [3, 5, 1, 2]);
    /// ```
    #[track_caller]
    fn at<I: SliceFor<D>>(&self, spec: I) -> ArrayView<'_, A, I::OutDim>;

    /// A view of the selected elements, or why there is none.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let error = array![1, 2, 3].try_at(s![3]).unwrap_err();
    /// assert_eq!(error.to_string(), "index 3 is out of bounds for axis 0 with size 3 (item 1 of the slice)");
    /// ```
    fn try_at<I: SliceFor<D>>(&self, spec: I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError>;

    /// A view through which the selected elements can be written.
    ///
    /// Python equivalent: what stands on the left of `x[spec] = ...`.
    ///
    /// # Panics
    ///
    /// As [`at`](Self::at).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = array![1, 2, 3, 4, 5];
    /// a.at_mut(s![::-2]).fill(0);
    /// assert_eq!(a, array![0, 2, 0, 4, 0]);
    /// ```
    #[track_caller]
    fn at_mut<I: SliceFor<D>>(&mut self, spec: I) -> ArrayViewMut<'_, A, I::OutDim>;

    /// A view through which the selected elements can be written, or why there is none.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    fn try_at_mut<I: SliceFor<D>>(
        &mut self,
        spec: I,
    ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError>;

    /// The selected elements in an array of their own, in C order.
    ///
    /// Python equivalent: `x[spec].copy()`.
    ///
    /// # Panics
    ///
    /// Where [`try_gather`](Self::try_gather) fails.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let a = array![[1, 2, 3], [4, 5, 6]];
    /// let b = a.gather(s![:, ::-2]);
    /// assert_eq!(b, array![[3, 1], [6, 4]]);
    /// assert!(b.is_standard_layout());
    /// ```
    #[track_caller]
    fn gather<I: SliceFor<D>>(&self, spec: I) -> Array<A, I::OutDim>
    where
        A: Copy;

    /// The selected elements in an array of their own, or why there is none.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve), and [`SliceError::Allocation`] if there is no memory for so
    /// many elements: a view that was broadcast may have any number.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::arr0;
    /// use slice_core::{SliceError, StridedSliceExt, s};
    ///
    /// let endless = arr0(0.5);
    /// let endless = endless.broadcast(1 << 60).unwrap();
    /// assert_eq!(endless.at(s![::-2]).len(), 1 << 59);
    /// assert_eq!(endless.try_gather(s![::-2]), Err(SliceError::Allocation { elements: 1 << 59 }));
    /// ```
    fn try_gather<I: SliceFor<D>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Copy;

    /// Writes clones of the elements of `value`, broadcast as NumPy does, to the selected places.
    ///
    /// Python equivalent: `x[spec] = value`. `value` is any array or view; axes that it lacks in front and axes of
    /// length 1 are repeated, superfluous leading axes of length 1 are ignored. It cannot overlap the selected places,
    /// because `self` is borrowed mutably; where Python would assign a part of an array to another part of it, see
    /// [the chapter on assignment](crate::guide::assignment).
    ///
    /// # Panics
    ///
    /// Where [`try_set`](Self::try_set) fails.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = Array2::zeros((2, 3));
    /// a.set(s![:, ::-2], &array![1, 2]);
    /// assert_eq!(a, array![[2, 0, 1], [2, 0, 1]]);
    /// a.set(s![:, 1], &array![[3], [4]].at(s![:, 0]));
    /// assert_eq!(a, array![[2, 3, 1], [2, 4, 1]]);
    /// ```
    #[track_caller]
    fn set<I, E>(&mut self, spec: I, value: &ArrayRef<A, E>)
    where
        I: SliceFor<D>,
        E: Dimension,
        A: Clone;

    /// [`set`](Self::set), or why it cannot be done; nothing is written then.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve), and [`SliceError::Broadcast`] in NumPy's words if `value`
    /// does not fit.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let error = Array2::zeros((2, 3)).try_set(s![:, 1:], &array![1, 2, 3]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "could not broadcast input array from shape (3,) into shape (2,2); 3 meets axis 1 of the slice, where only \
    ///      1 or 2 fits",
    /// );
    /// ```
    fn try_set<I, E>(&mut self, spec: I, value: &ArrayRef<A, E>) -> Result<(), SliceError>
    where
        I: SliceFor<D>,
        E: Dimension,
        A: Clone;

    /// Writes one value to all selected places.
    ///
    /// Python equivalent: `x[spec] = value` with a scalar.
    ///
    /// # Panics
    ///
    /// As [`at`](Self::at).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = array![[1, 2, 3], [4, 5, 6]];
    /// a.fill_at(s![..., 1:], 0);
    /// assert_eq!(a, array![[1, 0, 0], [4, 0, 0]]);
    /// ```
    #[track_caller]
    fn fill_at<I: SliceFor<D>>(&mut self, spec: I, value: A)
    where
        A: Clone;

    /// [`fill_at`](Self::fill_at), or why it cannot be done; nothing is written then.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    fn try_fill_at<I: SliceFor<D>>(&mut self, spec: I, value: A) -> Result<(), SliceError>
    where
        A: Clone;

    /// Several mutable views at once, of slices that have no element in common.
    ///
    /// Python equivalent: `a, b = x[spec_a], x[spec_b]`, where NumPy lets them overlap.
    ///
    /// `specs` is a tuple of slices of any kind, or an array or a slice of slices of one kind; the result is a tuple, an
    /// array or a vector. Whether two slices have a common element is decided exactly: `::2` and `1::2` have none.
    ///
    /// # Panics
    ///
    /// Where [`try_at_disjoint_mut`](Self::try_at_disjoint_mut) fails.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = array![[1, 2, 3, 4], [5, 6, 7, 8]];
    /// let (even, mut odd) = a.at_disjoint_mut((s![0, ::2], s![:, 1::2]));
    /// odd += &even;
    /// assert_eq!(a, array![[1, 3, 3, 7], [5, 7, 7, 11]]);
    /// ```
    #[track_caller]
    fn at_disjoint_mut<S: SlicesFor<D>>(&mut self, specs: S) -> S::Views<'_, A>;

    /// [`at_disjoint_mut`](Self::at_disjoint_mut), or why there are no such views.
    ///
    /// # Errors
    ///
    /// As [`SliceSpec::resolve`](crate::SliceSpec::resolve), and [`SliceError::Overlap`] with an element that two of
    /// them have in common.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = array![[1, 2, 3, 4], [5, 6, 7, 8]];
    /// let error = a.try_at_disjoint_mut((s![0, ::2], s![:, 2:])).unwrap_err();
    /// assert!(error.to_string().starts_with("slices 1 and 2 overlap: both select element (0,2)"));
    /// ```
    fn try_at_disjoint_mut<S: SlicesFor<D>>(
        &mut self,
        specs: S,
    ) -> Result<S::Views<'_, A>, SliceError>;
}

impl<A, D: Dimension> StridedSliceExt<A, D> for ArrayRef<A, D> {
    #[inline]
    #[track_caller]
    fn at<I: SliceFor<D>>(&self, spec: I) -> ArrayView<'_, A, I::OutDim> {
        match spec.parts(self.shape(), self.strides()) {
            // SAFETY: as in `try_at`.
            Ok(parts) => unsafe { parts.view(self.as_ptr()) },
            Err(error) => error.panic(),
        }
    }

    #[inline]
    fn try_at<I: SliceFor<D>>(&self, spec: I) -> Result<ArrayView<'_, A, I::OutDim>, SliceError> {
        let parts = spec.parts(self.shape(), self.strides())?;
        // SAFETY: the pointer is that of `self`, for whose shape and strides the slice was resolved, and `self` is
        // borrowed for as long as the view lives.
        Ok(unsafe { parts.view(self.as_ptr()) })
    }

    #[inline]
    #[track_caller]
    fn at_mut<I: SliceFor<D>>(&mut self, spec: I) -> ArrayViewMut<'_, A, I::OutDim> {
        match spec.parts(self.shape(), self.strides()) {
            // SAFETY: as in `try_at_mut`.
            Ok(parts) => unsafe { parts.view_mut(self.as_mut_ptr()) },
            Err(error) => error.panic(),
        }
    }

    #[inline]
    fn try_at_mut<I: SliceFor<D>>(
        &mut self,
        spec: I,
    ) -> Result<ArrayViewMut<'_, A, I::OutDim>, SliceError> {
        let parts = spec.parts(self.shape(), self.strides())?;
        // SAFETY: the pointer is that of `self`, for whose shape and strides the slice was resolved, and `self` is
        // borrowed mutably for as long as the view lives.
        Ok(unsafe { parts.view_mut(self.as_mut_ptr()) })
    }

    #[track_caller]
    fn gather<I: SliceFor<D>>(&self, spec: I) -> Array<A, I::OutDim>
    where
        A: Copy,
    {
        match gather(self, &spec) {
            Ok(array) => array,
            Err(error) => error.panic(),
        }
    }

    fn try_gather<I: SliceFor<D>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Copy,
    {
        gather(self, &spec)
    }

    #[inline]
    #[track_caller]
    fn set<I, E>(&mut self, spec: I, value: &ArrayRef<A, E>)
    where
        I: SliceFor<D>,
        E: Dimension,
        A: Clone,
    {
        if let Err(error) = self.try_set(spec, value) {
            error.panic()
        }
    }

    #[inline]
    fn try_set<I, E>(&mut self, spec: I, value: &ArrayRef<A, E>) -> Result<(), SliceError>
    where
        I: SliceFor<D>,
        E: Dimension,
        A: Clone,
    {
        assign(self, &spec, value)
    }

    #[inline]
    #[track_caller]
    fn fill_at<I: SliceFor<D>>(&mut self, spec: I, value: A)
    where
        A: Clone,
    {
        if let Err(error) = self.try_fill_at(spec, value) {
            error.panic()
        }
    }

    #[inline]
    fn try_fill_at<I: SliceFor<D>>(&mut self, spec: I, value: A) -> Result<(), SliceError>
    where
        A: Clone,
    {
        fill(self, &spec, value)
    }

    #[inline]
    #[track_caller]
    fn at_disjoint_mut<S: SlicesFor<D>>(&mut self, specs: S) -> S::Views<'_, A> {
        match self.try_at_disjoint_mut(specs) {
            Ok(views) => views,
            Err(error) => error.panic(),
        }
    }

    fn try_at_disjoint_mut<S: SlicesFor<D>>(
        &mut self,
        specs: S,
    ) -> Result<S::Views<'_, A>, SliceError> {
        disjoint(&specs.selections(self.shape())?)?;
        let first = self.as_mut_ptr();
        // SAFETY: the pointer is that of `self`, which has this shape and these strides and is borrowed mutably for as
        // long as the views live; the slices have just been found disjoint.
        unsafe { specs.views(self.shape(), self.strides(), first) }
    }
}
