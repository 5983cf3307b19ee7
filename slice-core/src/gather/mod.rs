//! The copying engine: a slice is a copy with a plan, and should cost what the memory costs.
//!
//! 1. **Plan** ([`plan`]): check every offset once, drop axes of length 1, merge axes that are one walk in memory.
//! 2. **Bytes** ([`bytes`]): with the element size known, restate the plan as runs of contiguous bytes at byte
//!    distances, so that no kernel knows a type.
//! 3. **Kernel** ([`kernels`]): choose once, outside the loops, then copy row after row.

mod bytes;
mod cloned;
mod cursor;
pub(crate) mod fixed;
mod isa;
mod kernels;
mod pattern;
mod plain;
mod plan;

pub use isa::InstructionSet;
pub(crate) use plain::is_plain;
pub(crate) use plan::Dim;
pub use plan::GatherPlan;

use crate::{Selection, SliceError};
use alloc::vec::Vec;
use bytes::{Job, as_bytes, as_bytes_mut, as_uninit};
use core::mem::MaybeUninit;
use core::ops::AddAssign;
use cursor::Cursor;

impl Selection {
    /// The selection made ready for copying, to be used on many buffers.
    ///
    /// [`gather`](Self::gather) and its kin plan anew each time, which costs some ten nanoseconds.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let plan = s![:, ::-1].resolve(&[2, 3])?.plan();
    /// for frame in [[1, 2, 3, 4, 5, 6], [7, 8, 9, 10, 11, 12]] {
    ///     assert_eq!(plan.gather(&frame)?[0], frame[2]);
    /// }
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    #[inline]
    pub fn plan(&self) -> GatherPlan {
        let (offset, strides) = self.flat_layout();
        let axes = self
            .output_shape()
            .iter()
            .copied()
            .zip(strides.iter().copied());
        GatherPlan::new(offset, axes, self.input_len()).expect("a selection stays within its input")
    }
}

impl GatherPlan {
    /// [`Selection::gather`] of this plan.
    ///
    /// # Errors
    ///
    /// As there.
    #[inline]
    pub fn gather<T: Copy>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len, data.len())?;
        let mut out = Vec::with_capacity(self.len);
        self.gather_uninit(data, &mut out.spare_capacity_mut()[..self.len])?;
        // SAFETY: the capacity is at least `len`, and `gather_uninit` has initialised that many elements.
        #[expect(unsafe_code)]
        unsafe {
            out.set_len(self.len)
        };
        Ok(out)
    }

    /// [`Selection::gather_into`] of this plan.
    ///
    /// # Errors
    ///
    /// As there.
    #[inline]
    pub fn gather_into<T: Copy>(&self, data: &[T], out: &mut [T]) -> Result<(), SliceError> {
        self.gather_uninit(data, as_uninit(out))
    }

    /// [`gather_into`](Self::gather_into) a buffer that was not initialised; when it returns `Ok`, all of `out` is.
    ///
    /// # Errors
    ///
    /// As [`gather_into`](Self::gather_into).
    #[inline]
    pub fn gather_uninit<T: Copy>(
        &self,
        data: &[T],
        out: &mut [MaybeUninit<T>],
    ) -> Result<(), SliceError> {
        check_len(self.input_len, data.len())?;
        check_len(self.len, out.len())?;
        if let Some(job) = Job::new(self, size_of::<T>()) {
            kernels::gather(&job, as_bytes(data), as_bytes_mut(out));
        }
        Ok(())
    }

    /// [`Selection::scatter`] of this plan.
    ///
    /// # Errors
    ///
    /// As there.
    #[inline]
    pub fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        if let Some(job) = Job::new(self, size_of::<T>()) {
            kernels::scatter(&job, as_bytes(values), as_bytes_mut(as_uninit(into)));
        }
        Ok(())
    }

    /// [`Selection::scatter_add`] of this plan.
    ///
    /// # Errors
    ///
    /// As there.
    pub fn scatter_add<T: Copy + AddAssign>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        let mut values = values;
        self.each_row(|offset, len, stride| {
            let (row, rest) = values.split_at(len);
            values = rest;
            match stride {
                1 => into[offset..offset + len]
                    .iter_mut()
                    .zip(row)
                    .for_each(|(sum, &x)| *sum += x),
                _ => row
                    .iter()
                    .enumerate()
                    .for_each(|(i, &x)| into[at(offset, stride, i)] += x),
            }
        });
        Ok(())
    }

    /// Calls `row(offset, len, stride)` for every innermost row, in output order.
    #[inline]
    fn each_row(&self, mut row: impl FnMut(usize, usize, isize)) {
        let (inner, outer) = match self.dims.split_last() {
            Some((&inner, outer)) => (inner, outer),
            None => (plan::Dim { len: 1, stride: 1 }, &[][..]),
        };
        let (mut cursor, mut left) = (Cursor::new(self.offset, outer, inner), self.len);
        while left > 0 {
            let block = cursor.take(left);
            for i in 0..block.rows {
                row(
                    at(block.offset, cursor.row_distance(), i),
                    block.cells,
                    inner.stride,
                );
            }
            left -= block.rows * block.cells;
        }
    }
}

/// That a buffer has `expected` elements.
pub(crate) fn check_len(expected: usize, actual: usize) -> Result<(), SliceError> {
    if expected == actual {
        Ok(())
    } else {
        Err(SliceError::BufferLength { expected, actual })
    }
}

/// `offset + i * stride`, which the plan knows not to overflow.
#[inline]
fn at(offset: usize, stride: isize, i: usize) -> usize {
    offset.wrapping_add_signed(stride.wrapping_mul(i as isize))
}

#[cfg(test)]
mod tests;
