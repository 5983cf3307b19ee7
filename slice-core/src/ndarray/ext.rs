//! The trait [`StridedSliceExt`], which adds methods to ndarray arrays, views and Rust slices.

use ndarray::{Array, ArrayRef, ArrayView, ArrayViewMut, Dimension};

use super::access::{Readable, WritableArray};
use super::actions::{Copy, CopyInto, WriteOne};
use super::disjoint::SlicesFor;
use super::rank::{SelectFor, SliceFor, ViewFor};
use super::values::ValuesFor;
use crate::error::SliceError;

/// Slicing with [`s!`](crate::s!): views, copies and assignment.
///
/// The trait is implemented for owned, shared and copy-on-write ndarray arrays, for views, and for [`ArrayRef`], of
/// every dimension. It is also implemented for `[T]`, `Vec<T>` and `[T; N]`, as arrays with one axis. Methods that
/// write require [`WritableArray`], which is implemented for all of these types except read-only views.
///
/// The bound `ViewFor` accepts every slice that implements [`SliceFor`](crate::SliceFor).
///
/// The compiler computes the dimension of the result. A slice with more indices and ranges than the array has axes does
/// not compile. With a [`DynSliceSpec`](crate::DynSliceSpec), the dimension of the result is `IxDyn`. A
/// [`Selection`](crate::Selection) can be used as a slice of arrays with the shape for which it was resolved. An array
/// of any other shape results in [`SliceError::ShapeMismatch`].
///
/// [`gather`](Self::gather), [`gather_into`](Self::gather_into), [`set`](Self::set) and [`fill_at`](Self::fill_at) also
/// accept slices with [lists and masks](crate::s!#lists-and-masks). No view can represent such a slice. If a list
/// repeats a position, the last value written there remains.
///
/// Every method that can fail has a `try_` version that returns the error. To slice by value, see
/// [`StridedSliceMove`](crate::StridedSliceMove).
///
/// # Example
///
/// ```
/// use slice_core::{StridedSliceExt, s};
///
/// let mut v = vec![1, 2, 3, 4, 5];
/// assert_eq!(v.at(s![::-2]).to_vec(), [5, 3, 1]);
/// v.set(s![1:3], [20, 30]);
/// assert_eq!(v, [1, 20, 30, 4, 5]);
/// ```
pub trait StridedSliceExt<A, D: Dimension>: Readable<A, D> {
    /// Returns a view of the selected elements. Nothing is copied.
    ///
    /// Python equivalent: `x[spec]`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_at`](Self::try_at) returns an error. The message contains the item, the axis and the values
    /// involved. The panic reports the location of the caller.
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
    #[inline]
    #[track_caller]
    #[doc(alias = "slice")]
    fn at<I: ViewFor<D>>(&self, spec: I) -> ArrayView<'_, A, I::View> {
        self.part_or_panic(&spec)
    }

    /// Fallible version of [`at`](Self::at).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve).
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
    #[inline]
    fn try_at<I: ViewFor<D>>(&self, spec: I) -> Result<ArrayView<'_, A, I::View>, SliceError> {
        self.part(&spec)
    }

    /// Returns a mutable view of the selected elements.
    ///
    /// Python equivalent: `x[spec]` on the left of an operator such as `+=`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_at_mut`](Self::try_at_mut) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = array![1, 2, 3, 4, 5];
    /// a.at_mut(s![::-2]).mapv_inplace(|x| 10 * x);
    /// assert_eq!(a, array![10, 2, 30, 4, 50]);
    /// ```
    #[inline]
    #[track_caller]
    fn at_mut<I: ViewFor<D>>(&mut self, spec: I) -> ArrayViewMut<'_, A, I::View>
    where
        Self: WritableArray<A, D>,
    {
        match self.try_at_mut(spec) {
            Ok(view) => view,
            Err(error) => error.panic(),
        }
    }

    /// Fallible version of [`at_mut`](Self::at_mut).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut x = array![1, 2, 3];
    /// x.try_at_mut(s![::2])?.fill(0);
    /// assert_eq!(x, array![0, 2, 0]);
    /// assert!(x.try_at_mut(s![3]).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    fn try_at_mut<I: ViewFor<D>>(
        &mut self,
        spec: I,
    ) -> Result<ArrayViewMut<'_, A, I::View>, SliceError>
    where
        Self: WritableArray<A, D>,
    {
        self.part_mut(&spec)
    }

    /// Copies the selected elements into a new array in C order.
    ///
    /// Python equivalent: `x[spec].copy()`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_gather`](Self::try_gather) returns an error.
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
    /// assert_eq!(a.gather(s![:, [2, 0, 0]]), array![[3, 1, 1], [6, 4, 4]]);
    /// ```
    #[track_caller]
    #[doc(alias = "fancy indexing")]
    #[doc(alias = "take")]
    #[doc(alias = "oindex")]
    fn gather<I: SelectFor<D>>(&self, spec: I) -> Array<A, I::OutDim>
    where
        A: Clone,
    {
        match self.try_gather(spec) {
            Ok(array) => array,
            Err(error) => error.panic(),
        }
    }

    /// Fallible version of [`gather`](Self::gather).
    ///
    /// # Errors
    ///
    /// * The same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve) or, for a slice with lists,
    ///   [`ListSpec::resolve`](crate::ListSpec::resolve).
    /// * [`SliceError::Allocation`] if there is not enough memory for the result. For instance, a broadcast view can
    ///   have far more elements than fit in memory.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::arr0;
    /// use slice_core::{SliceError, StridedSliceExt, s};
    ///
    /// let one = arr0(0.5);
    /// let huge = one.broadcast(1 << 60).unwrap();
    /// assert_eq!(huge.at(s![::-2]).len(), 1 << 59);
    /// assert_eq!(huge.try_gather(s![::-2]), Err(SliceError::Allocation { elements: 1 << 59 }));
    /// ```
    fn try_gather<I: SelectFor<D>>(&self, spec: I) -> Result<Array<A, I::OutDim>, SliceError>
    where
        A: Clone,
    {
        self.read(|array| spec.perform(Copy(array)))
    }

    /// Copies the selected elements into `out`, an existing array or view. `out` must have the shape of the slice, and
    /// can have any memory order.
    ///
    /// Python equivalent: `out[...] = x[spec]`, but without broadcasting: the shapes must be equal. Memory is allocated
    /// only for the positions in lists.
    ///
    /// # Panics
    ///
    /// Panics if [`try_gather_into`](Self::try_gather_into) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let frames = array![[[1, 2], [3, 4]], [[5, 6], [7, 8]]];
    /// let mut frame = Array2::zeros((2, 2));
    /// frames.gather_into(s![-1, ::-1], &mut frame);
    /// assert_eq!(frame, array![[7, 8], [5, 6]]);
    /// ```
    #[track_caller]
    fn gather_into<I: SelectFor<D>, E: Dimension>(&self, spec: I, out: &mut ArrayRef<A, E>)
    where
        A: Clone,
    {
        if let Err(error) = self.try_gather_into(spec, out) {
            error.panic()
        }
    }

    /// Fallible version of [`gather_into`](Self::gather_into). If it fails, nothing is written.
    ///
    /// # Errors
    ///
    /// * The same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve) or, for a slice with lists,
    ///   [`ListSpec::resolve`](crate::ListSpec::resolve).
    /// * [`SliceError::ShapeMismatch`] unless `out` has the shape of the slice.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array1, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut out = Array1::zeros(2);
    /// array![1, 2, 3].try_gather_into(s![::-2], &mut out)?;
    /// assert_eq!(out, array![3, 1]);
    /// assert!(array![1, 2, 3].try_gather_into(s![:], &mut out).is_err()); // three elements
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    fn try_gather_into<I: SelectFor<D>, E: Dimension>(
        &self,
        spec: I,
        out: &mut ArrayRef<A, E>,
    ) -> Result<(), SliceError>
    where
        A: Clone,
    {
        self.read(|array| spec.perform(CopyInto(array, out)))
    }

    /// Returns the selected element, if the slice selects exactly one.
    ///
    /// Python equivalent: `x[spec].item()`.
    ///
    /// # Panics
    ///
    /// Panics if [`try_item`](Self::try_item) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let a = array![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(a.item(s![-1, -1]), 6);
    /// assert_eq!(a.item(s![:1, 1:2]), 2);
    /// ```
    #[inline]
    #[track_caller]
    fn item<I: SliceFor<D>>(&self, spec: I) -> A
    where
        A: Clone,
    {
        match self.try_item(spec) {
            Ok(element) => element,
            Err(error) => error.panic(),
        }
    }

    /// Fallible version of [`item`](Self::item).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve), and [`SliceError::NotOneElement`]
    /// unless the slice selects exactly one element.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let error = [1, 2, 3].try_item(s![1:]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "can only convert an array of size 1 to a scalar, but the slice selects 2 elements; \
    ///      index every axis, or use `at` or `gather`",
    /// );
    /// ```
    #[inline]
    fn try_item<I: SliceFor<D>>(&self, spec: I) -> Result<A, SliceError>
    where
        A: Clone,
    {
        let view = self.try_at(spec)?;
        match view.first() {
            Some(element) if view.len() == 1 => Ok(element.clone()),
            _ => Err(SliceError::NotOneElement {
                elements: view.len(),
            }),
        }
    }

    /// Writes clones of `values` to the selected elements, with NumPy's broadcasting.
    ///
    /// Python equivalent: `x[spec] = values`.
    ///
    /// `values` is one element, an array or a view (by value or by reference), a Rust slice, a `Vec`, or a nested
    /// array; see [`ValuesFor`]. `values` is repeated along its axes of length 1 and, if it has fewer axes than the
    /// slice, along the missing leading axes. Superfluous leading axes of length 1 are ignored. `values` cannot overlap
    /// the selected elements, because `self` is borrowed mutably. [The guide to assignment](crate::guide::assignment)
    /// shows how to copy one part of an array to another.
    ///
    /// # Panics
    ///
    /// Panics if [`try_set`](Self::try_set) returns an error.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::{Array2, array};
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut a = Array2::<i32>::zeros((2, 3));
    /// a.set(s![:, ::-2], [1, 2]);
    /// assert_eq!(a, array![[2, 0, 1], [2, 0, 1]]);
    /// a.set(s![:, 1], array![[3], [4]].at(s![:, 0]));
    /// assert_eq!(a, array![[2, 3, 1], [2, 4, 1]]);
    /// a.set(s![0], 9);
    /// a.set(s![1:, :2], [[7, 8]]);
    /// assert_eq!(a, array![[9, 9, 9], [7, 8, 1]]);
    /// ```
    #[inline]
    #[track_caller]
    fn set<I: SelectFor<D>, V: ValuesFor<A>>(&mut self, spec: I, values: V)
    where
        A: Clone,
        Self: WritableArray<A, D>,
    {
        if let Err(error) = self.try_set(spec, values) {
            error.panic()
        }
    }

    /// Fallible version of [`set`](Self::set). If it fails, nothing is written.
    ///
    /// # Errors
    ///
    /// * The same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve) or, for a slice with lists,
    ///   [`ListSpec::resolve`](crate::ListSpec::resolve).
    /// * [`SliceError::Broadcast`], or [`SliceError::BroadcastToLists`] for a slice with lists, if `values` cannot be
    ///   broadcast to the shape of the slice.
    /// * [`SliceError::Allocation`] if the slice has lists and there is not enough memory for a copy of the broadcast
    ///   values.
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::Array2;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let error = Array2::<i32>::zeros((2, 3)).try_set(s![:, 1:], [1, 2, 3]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "could not broadcast input array from shape (3,) into shape (2,2); axis 1 of the slice has size 2, so the \
    ///      value may have size 1 or 2 there, not 3",
    /// );
    /// ```
    #[inline]
    fn try_set<I: SelectFor<D>, V: ValuesFor<A>>(
        &mut self,
        spec: I,
        values: V,
    ) -> Result<(), SliceError>
    where
        A: Clone,
        Self: WritableArray<A, D>,
    {
        self.write(|array| values.write(array, &spec))
    }

    /// Writes one value to all selected elements.
    ///
    /// Python equivalent: `x[spec] = value` with a scalar.
    ///
    /// # Panics
    ///
    /// Panics if [`try_fill_at`](Self::try_fill_at) returns an error.
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
    #[inline]
    #[track_caller]
    fn fill_at<I: SelectFor<D>>(&mut self, spec: I, value: A)
    where
        A: Clone,
        Self: WritableArray<A, D>,
    {
        if let Err(error) = self.try_fill_at(spec, value) {
            error.panic()
        }
    }

    /// Fallible version of [`fill_at`](Self::fill_at). If it fails, nothing is written.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve) or, for a slice with lists,
    /// [`ListSpec::resolve`](crate::ListSpec::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use ndarray::array;
    /// use slice_core::{StridedSliceExt, s};
    ///
    /// let mut x = array![1, 2, 3];
    /// x.try_fill_at(s![1:], 0)?;
    /// assert_eq!(x, array![1, 0, 0]);
    /// assert!(x.try_fill_at(s![3], 0).is_err());
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    fn try_fill_at<I: SelectFor<D>>(&mut self, spec: I, value: A) -> Result<(), SliceError>
    where
        A: Clone,
        Self: WritableArray<A, D>,
    {
        self.write(|array| spec.perform(WriteOne(array, value)))
    }

    /// Returns mutable views of several slices at once. The slices must not share an element.
    ///
    /// Python equivalent: `a, b = x[spec_a], x[spec_b]`, except that NumPy lets the views overlap.
    ///
    /// For a tuple of slices, which may have different types, the result is a tuple. For an array of slices, it is an
    /// array, and for a Rust slice of slices, it is a `Vec`. The check for shared elements is exact: `::2` and `1::2`
    /// share none.
    ///
    /// # Panics
    ///
    /// Panics if [`try_at_disjoint_mut`](Self::try_at_disjoint_mut) returns an error.
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
    #[inline]
    #[track_caller]
    fn at_disjoint_mut<S: SlicesFor<D>>(&mut self, specs: S) -> S::Views<'_, A>
    where
        Self: WritableArray<A, D>,
    {
        match self.try_at_disjoint_mut(specs) {
            Ok(views) => views,
            Err(error) => error.panic(),
        }
    }

    /// Fallible version of [`at_disjoint_mut`](Self::at_disjoint_mut).
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`SliceSpec::resolve`](crate::SliceSpec::resolve), and [`SliceError::Overlap`] if two
    /// slices share an element.
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
    ) -> Result<S::Views<'_, A>, SliceError>
    where
        Self: WritableArray<A, D>,
    {
        self.disjoint_parts_mut(&specs)
    }
}

// Hidden because the documentation of the trait lists the types, and `Readable` is private.
#[doc(hidden)]
#[diagnostic::do_not_recommend]
impl<A, D: Dimension, T: Readable<A, D> + ?Sized> StridedSliceExt<A, D> for T {}
