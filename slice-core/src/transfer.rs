//! Elements out of a flat buffer and back into it.

use alloc::vec::Vec;
use core::ops::AddAssign;

use crate::gather::check_len;
use crate::{Selection, SliceError};

impl Selection {
    /// The selected elements of a flat C-order buffer, in C order.
    ///
    /// Python equivalent: `x[spec].ravel()`.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) elements.
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
        self.plan().gather(data)
    }

    /// [`gather`](Self::gather) into a buffer that is already there.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `data` has [`input_len`](Self::input_len) and `out` has
    /// [`len`](Self::len) elements.
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        self.plan().gather_into(data, out)
    }

    /// [`gather`](Self::gather) for elements that are not `Copy`, such as `String`.
    ///
    /// # Errors
    ///
    /// As [`gather`](Self::gather).
    pub fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len(), data.len())?;
        Ok(self.indices().map(|index| data[index].clone()).collect())
    }

    /// Writes `values`, in C order, to the selected places of a flat C-order buffer.
    ///
    /// Python equivalent: `x[spec] = values.reshape(x[spec].shape)`.
    ///
    /// # Errors
    ///
    /// [`SliceError::BufferLength`] unless `values` has [`len`](Self::len) and `into` has
    /// [`input_len`](Self::input_len) elements; nothing is written then.
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

    /// Adds `values`, in C order, to the selected places: the adjoint of [`gather`](Self::gather).
    ///
    /// Python equivalent: `x[spec] += values.reshape(x[spec].shape)`.
    ///
    /// # Errors
    ///
    /// As [`scatter`](Self::scatter).
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        self.plan().scatter_add(values, into)
    }
}
