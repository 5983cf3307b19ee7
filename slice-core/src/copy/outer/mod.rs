//! Copies selections with lists. A *run*, which is a sequence of positions with a constant step, is copied like a
//! strided axis. Other positions are copied one by one.
//!
//! ```text
//! x[::2, rows, 1:], where x is an f32 array with shape (6, 40, 9), and rows = [3, 4, 5, ..., 30, 7]
//! outer      the axes before the last list, with an offset for each combination of their positions: 0, 720, 1440
//! list       the runs of the last list: 28 consecutive positions and one single position
//! inner      the axes after the last list, merged: 8 contiguous elements
//! ```
//!
//! A run of positions and the inner axes together describe a strided copy. If this copy is so large that a plan saves
//! time, it is planned. Otherwise, a loop copies its elements. Elements are visited in output order, so that the last
//! value is kept if an element is selected several times.

#![expect(unsafe_code)]

mod bytes;
pub(crate) mod walk;

use alloc::vec::Vec;
use core::ops::AddAssign;

use super::broadcast::broadcast;
use super::plain::{as_uninit, bytes, bytes_mut, is_plain, plain_bytes, plain_bytes_mut};
use super::{GatherPlan, check_len, gathered, new_memory};
use crate::error::SliceError;
use crate::outer::selection::OuterSelection;
use crate::resolve::layout::c_strides;
use crate::resolve::shape::element_count;
use crate::resolve::strided::strided_axes;
use bytes::{OuterGather, OuterScatter};
use walk::OuterPlan;

impl OuterSelection {
    /// Returns the plan for a flat C-order buffer.
    fn plan(&self) -> OuterPlan<'_> {
        OuterPlan::new(self, 0, &c_strides(self.input_shape()))
    }

    /// Returns the selected elements of a flat C-order buffer, in C order.
    ///
    /// Python equivalent: `x.oindex[spec].ravel()`.
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
    /// let selection = s![[2, 0], 1].resolve(&[3, 2])?;
    /// assert_eq!(selection.gather(&[0, 1, 2, 3, 4, 5])?, [5, 1]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather<T: Copy>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len(), data.len())?;
        if let Some(selection) = self.to_selection() {
            return selection.gather(data);
        }
        // SAFETY: when the copy returns, it has written every element of `out`.
        unsafe {
            gathered(self.len(), |out| {
                let (from, to) = (bytes(data), bytes_mut(out));
                self.plan()
                    .copy_bytes(OuterGather::new(from, to), size_of::<T>(), is_plain::<T>());
                Ok(())
            })
        }
    }

    /// Version of [`gather`](Self::gather) that writes to an existing buffer.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) elements and `out` has
    /// [`len`](Self::len) elements.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut out = [0; 2];
    /// s![&[false, true, true]].resolve(&[3])?.gather_into(&[1, 2, 3], &mut out)?;
    /// assert_eq!(out, [2, 3]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len(), data.len())?;
        check_len(self.len(), out.len())?;
        if let Some(selection) = self.to_selection() {
            return selection.gather_into(data, out);
        }
        // SAFETY: only copies of elements of `data` are written.
        let out = unsafe { as_uninit(out) };
        let (from, to) = (bytes(data), bytes_mut(out));
        self.plan()
            .copy_bytes(OuterGather::new(from, to), size_of::<T>(), is_plain::<T>());
        Ok(())
    }

    /// Version of [`gather`](Self::gather) for elements that are only `Clone`, such as `String`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`gather`](Self::gather).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let words = ["ab", "cd", "ef"].map(String::from);
    /// assert_eq!(s![[2, 2, 0]].resolve(&[3])?.gather_cloned(&words)?, ["ef", "ef", "ab"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len(), data.len())?;
        self.plan().gather_cloned(data)
    }

    /// Writes `values`, in C order, to the selected elements of a flat C-order buffer. If an element is selected
    /// several times, the last value is kept.
    ///
    /// Python equivalent: `x.oindex[spec] = values.reshape(x.oindex[spec].shape)`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) elements and `into` has
    /// [`input_len`](Self::input_len) elements. In that case, nothing is written.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 3];
    /// s![[0, 2, 0]].resolve(&[3])?.scatter(&[7, 8, 9], &mut data)?;
    /// assert_eq!(data, [9, 0, 8]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        // SAFETY: only copies of elements of `values` are written.
        let into = unsafe { as_uninit(into) };
        let (from, to) = (bytes(values), bytes_mut(into));
        self.plan()
            .copy_bytes(OuterScatter::new(from, to), size_of::<T>(), is_plain::<T>());
        Ok(())
    }

    /// Version of [`scatter`](Self::scatter) for elements that are only `Clone`, such as `String`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut names = ["a", "b", "c"].map(String::from);
    /// s![[2, 0]].resolve(&[3])?.scatter_cloned(&["z".to_owned(), "x".to_owned()], &mut names)?;
    /// assert_eq!(names, ["x", "b", "z"]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_cloned<T: Clone>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        self.plan().scatter_cloned(values, into);
        Ok(())
    }

    /// Writes one value to all selected elements of a flat C-order buffer.
    ///
    /// Python equivalent: `x.oindex[spec] = value`.
    ///
    /// # Errors
    ///
    /// Returns [`SliceError::BufferLength`] unless `into` has [`input_len`](Self::input_len) elements. In that case,
    /// nothing is written.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [1, 2, 3, 4, 5, 6];
    /// s![[2, 0]].resolve(&[3, 2])?.fill(0, &mut data)?;
    /// assert_eq!(data, [0, 0, 3, 4, 0, 0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn fill<T: Clone>(&self, value: T, into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len(), into.len())?;
        self.plan().fill(&value, into);
        Ok(())
    }

    /// Writes `value` to the selected elements of a flat C-order buffer, following NumPy's broadcasting rules. `value`
    /// contains the elements of an array of shape `value_shape`, in C order. If an element is selected several times,
    /// the last value is kept.
    ///
    /// Python equivalent: `x.oindex[spec] = value.reshape(value_shape)`.
    ///
    /// # Errors
    ///
    /// If an error is returned, nothing is written. The possible errors are:
    ///
    /// * [`SliceError::BroadcastToLists`], with NumPy's message, if `value_shape` cannot be broadcast to the shape of
    ///   the selection.
    /// * [`SliceError::TooLarge`] if an array of shape `value_shape` would have more than `isize::MAX` elements.
    /// * [`SliceError::BufferLength`] unless `value` has the number of elements given by `value_shape` and `into` has
    ///   [`input_len`](Self::input_len) elements.
    /// * [`SliceError::Allocation`] if there is not enough memory for a copy of the value with the shape of the
    ///   selection. The value is copied only if its shape differs from that shape.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut data = [0; 6];
    /// s![:, [2, 0]].resolve(&[2, 3])?.assign(&[2, 1], &[7, 8], &mut data)?;
    /// assert_eq!(data, [7, 0, 7, 8, 0, 8]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn assign<T: Clone>(
        &self,
        value_shape: &[usize],
        value: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        let shape = self.output_shape();
        let strides = broadcast(value_shape, &c_strides(value_shape), shape)
            .map_err(|_| self.does_not_broadcast(value_shape))?;
        check_len(element_count(value_shape)?, value.len())?;
        check_len(self.input_len(), into.len())?;
        if self.is_empty() {
            return Ok(());
        }
        if value_shape == shape {
            self.plan().scatter_cloned(value, into);
        } else {
            let repeated = GatherPlan::new(0, strided_axes(shape, &strides), value.len());
            let repeated = repeated.expect("the broadcast value should stay within its buffer");
            let value = repeated.gather_cloned(value)?;
            self.plan().scatter_cloned(&value, into);
        }
        Ok(())
    }

    /// Returns the error for a value of shape `value_shape`, which cannot be broadcast to the shape of the selection.
    pub(crate) fn does_not_broadcast(&self, value_shape: &[usize]) -> SliceError {
        SliceError::BroadcastToLists {
            value: value_shape.into(),
            result: self.output_shape().into(),
        }
    }

    /// Adds `values`, in C order, to the selected elements of a flat C-order buffer. If an element is selected several
    /// times, all values for it are added. This operation is the adjoint of [`gather`](Self::gather).
    ///
    /// Python equivalent: `np.add.at(x, spec, values)`, but with the positions on each axis selected independently.
    /// NumPy's `x[spec] += values` adds only the last of several values for an element.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`scatter`](Self::scatter).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let mut sums = [1.0, 2.0, 3.0];
    /// s![[2, 0, 2]].resolve(&[3])?.scatter_add(&[10.0, 20.0, 30.0], &mut sums)?;
    /// assert_eq!(sums, [21.0, 2.0, 43.0]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len(), values.len())?;
        check_len(self.input_len(), into.len())?;
        let mut values = values;
        self.plan().each_row(|row| {
            let (next, rest) = values.split_at(row.len());
            values = rest;
            row.zip(next)
                .for_each(|(offset, &value)| into[offset] += value);
        });
        Ok(())
    }
}

/// Copies elements whose type is only required to be `Clone`. Plain elements are copied as bytes, and other elements
/// are cloned one by one.
impl OuterPlan<'_> {
    pub(crate) fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        let Some(from) = plain_bytes(data) else {
            let mut out = new_memory::vector(self.len())?;
            self.each_row(|row| out.extend(row.map(|offset| data[offset].clone())));
            return Ok(out);
        };
        // SAFETY: when the copy returns, it has written every element of `out`, and the elements are plain.
        unsafe {
            gathered(self.len(), |out| {
                self.copy_bytes(OuterGather::new(from, bytes_mut(out)), size_of::<T>(), true);
                Ok(())
            })
        }
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn gather_cloned_into<T: Clone>(&self, data: &[T], out: &mut [T]) {
        // SAFETY: only copies of elements of `data` are written.
        if let (Some(from), Some(to)) = (plain_bytes(data), unsafe { plain_bytes_mut(out) }) {
            return self.copy_bytes(OuterGather::new(from, to), size_of::<T>(), true);
        }
        let mut out = out.iter_mut();
        self.each_row(|row| {
            for (offset, out) in row.zip(out.by_ref()) {
                out.clone_from(&data[offset]);
            }
        });
    }

    pub(crate) fn scatter_cloned<T: Clone>(&self, values: &[T], into: &mut [T]) {
        // SAFETY: only copies of elements of `values` are written.
        if let (Some(from), Some(to)) = (plain_bytes(values), unsafe { plain_bytes_mut(into) }) {
            return self.copy_bytes(OuterScatter::new(from, to), size_of::<T>(), true);
        }
        let mut values = values.iter();
        self.each_row(|row| {
            for (offset, value) in row.zip(values.by_ref()) {
                into[offset].clone_from(value);
            }
        });
    }

    pub(crate) fn fill<T: Clone>(&self, value: &T, into: &mut [T]) {
        self.each_row(|row| row.for_each(|offset| into[offset].clone_from(value)));
    }
}
