//! Copies the elements of a selection from a flat buffer and back.

use alloc::vec::Vec;
use core::ops::AddAssign;
use core::slice;

use crate::copy::broadcast::broadcast;
use crate::copy::new_memory::defaults;
use crate::copy::plain::as_uninit;
use crate::copy::{Source, Target, check_len, copy};
use crate::error::SliceError;
use crate::resolve::layout::{StridedLayout, c_strides};
use crate::resolve::selection::Selection;
use crate::resolve::shape::element_count;
use crate::resolve::strided::{Dim, dims};

impl Selection {
    /// Returns the selected elements of a flat C-order buffer, in C order.
    ///
    /// Python equivalent: `x[spec].ravel()`.
    ///
    /// # Errors
    ///
    /// * [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) elements.
    /// * [`SliceError::Allocation`] if there is not enough memory for the result.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![::-1, 1].resolve(&[3, 2])?;
    /// assert_eq!(selection.gather(&[0, 1, 2, 3, 4, 5])?, [5, 3, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather<T: Copy>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        self.gather_new(data)
    }

    /// Gathers into an existing buffer, as [`gather`](Self::gather) does into a new one.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) and `out` has
    /// [`len`](Self::len) elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut out = [0; 2];
    /// s![::-2].resolve(&[3])?.gather_into(&[1, 2, 3], &mut out)?;
    /// assert_eq!(out, [3, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        // SAFETY: only copies of elements of `data` are written.
        #[expect(unsafe_code)]
        let out = unsafe { as_uninit(out) };
        self.gather_uninit(data, out)
    }

    /// Gathers elements that are not `Copy`, such as `String`, as [`gather`](Self::gather) does.
    ///
    /// # Errors
    ///
    /// The errors of [`gather`](Self::gather).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let words = ["ab", "cd", "ef"].map(String::from);
    /// assert_eq!(s![::-2].resolve(&[3])?.gather_cloned(&words)?, ["ef", "ab"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        self.plan().gather_cloned(data)
    }

    /// Writes `values`, in C order, to the selected places of a flat C-order buffer.
    ///
    /// Python equivalent: `x[spec] = values.reshape(x[spec].shape)`.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) and `into` has
    /// [`input_len`](Self::input_len) elements. Nothing is written then.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 6];
    /// s![:, 1].resolve(&[3, 2])?.scatter(&[7, 8, 9], &mut data)?;
    /// assert_eq!(data, [0, 7, 0, 8, 0, 9]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        self.plan().scatter(values, into)
    }

    /// Scatters elements that are not `Copy`, such as `String`, as [`scatter`](Self::scatter) does.
    ///
    /// # Errors
    ///
    /// The errors of [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut names = ["a", "b", "c"].map(String::from);
    /// s![::-2].resolve(&[3])?.scatter_cloned(&["z".to_owned(), "x".to_owned()], &mut names)?;
    /// assert_eq!(names, ["x", "b", "z"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_cloned<T: Clone>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        self.plan().scatter_cloned(values, into)
    }

    /// Scatters into a new buffer, whose other elements have the default value. This turns the gradient of a slice into
    /// the gradient of the array.
    ///
    /// Python equivalent: `x = np.zeros(shape); x[spec] = values.reshape(x[spec].shape)`. In a buffer of numbers, only
    /// written pages use memory, if the system maps zeroed pages on demand.
    ///
    /// # Errors
    ///
    /// * [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) elements.
    /// * [`SliceError::Allocation`] if there is not enough memory for the result.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// assert_eq!(s![:, 1].resolve(&[2, 3])?.scatter_new(&[0.5, 0.25])?, [0.0, 0.5, 0.0, 0.0, 0.25, 0.0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_new<T: Clone + Default>(&self, values: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.len(), values.len())?;
        let mut into = defaults(self.input_len())?;
        self.scatter_cloned(values, &mut into)?;
        Ok(into)
    }

    /// Writes one value to all selected places of a flat C-order buffer.
    ///
    /// Python equivalent: `x[spec] = value`.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `into` has [`input_len`](Self::input_len) elements. Nothing is written then.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// s![1:].resolve(&[3, 2])?.fill(0, &mut data)?;
    /// assert_eq!(data, [1, 2, 0, 0, 0, 0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn fill<T: Clone>(&self, value: T, into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len(), into.len())?;
        if !self.is_empty() {
            let one = slice::from_ref(&value);
            let to = StridedLayout::flat(self);
            let repeated = dims(to.shape(), to.strides()).map(|dim| Dim { stride: 0, ..dim });
            let from = Source::of_buffer(one, 0, repeated.collect());
            copy(from, target(&to, into));
        }
        Ok(())
    }

    /// Writes a value to the selected places with NumPy's broadcasting. The value is given as its shape and its
    /// elements in C order.
    ///
    /// Python equivalent: `x[spec] = value.reshape(value_shape)`.
    ///
    /// Axes are compared from the last to the first. Each axis of the value must be as long as the axis of the slice,
    /// or have length 1. Missing leading axes count as axes of length 1, and superfluous leading axes must have
    /// length 1.
    ///
    /// # Errors
    ///
    /// Nothing is written if there is an error:
    ///
    /// * [`SliceError::Broadcast`], in NumPy's words, if the shape does not fit.
    /// * [`SliceError::BufferLength`] unless `value` has the number of elements of its shape and `into` has
    ///   [`input_len`](Self::input_len) elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 6];
    /// let columns = s![:, 1:].resolve(&[2, 3])?;
    /// columns.assign(&[2, 1], &[7, 8], &mut data)?;
    /// assert_eq!(data, [0, 7, 7, 0, 8, 8]);
    ///
    /// let error = columns.assign(&[3], &[1, 2, 3], &mut data).unwrap_err();
    /// assert!(error.to_string().starts_with("could not broadcast input array from shape (3,) into shape (2,2)"));
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn assign<T: Clone>(
        &self,
        value_shape: &[usize],
        value: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        let strides = broadcast(value_shape, &c_strides(value_shape), self.output_shape())?;
        check_len(element_count(value_shape)?, value.len())?;
        check_len(self.input_len(), into.len())?;
        if !self.is_empty() {
            let axes = dims(self.output_shape(), &strides).collect();
            copy(
                Source::of_buffer(value, 0, axes),
                target(&StridedLayout::flat(self), into),
            );
        }
        Ok(())
    }

    /// Adds `values`, in C order, to the selected places. This is the adjoint of [`gather`](Self::gather).
    ///
    /// Python equivalent: `x[spec] += values.reshape(x[spec].shape)`.
    ///
    /// # Errors
    ///
    /// The errors of [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut sums = [1.0, 2.0, 3.0];
    /// s![::-2].resolve(&[3])?.scatter_add(&[10.0, 20.0], &mut sums)?;
    /// assert_eq!(sums, [21.0, 2.0, 13.0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        self.plan().scatter_add(values, into)
    }
}

/// Returns the elements of the flat buffer `into` at the places of `layout`.
fn target<'a, T>(layout: &StridedLayout, into: &'a mut [T]) -> Target<'a, T> {
    let axes = dims(layout.shape(), layout.strides());
    Target::of_buffer(into, layout.offset().cast_unsigned(), axes.collect())
}
