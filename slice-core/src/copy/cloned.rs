//! Copies elements whose type is only required to be `Clone`, such as strings.
//!
//! Elements of plain types, such as numbers, are copied as bytes. Elements of all other types are cloned row by row.

#![expect(unsafe_code)]

use super::job::Job;
use super::plain::{as_uninit, bytes_mut, is_plain, plain_bytes, plain_bytes_mut};
use super::small::SmallCopy;
use super::{CopyPlan, check_len, kernels, new_memory, offset_at};
use crate::error::SliceError;
use alloc::vec::Vec;

impl CopyPlan {
    /// Version of [`gather`](Self::gather) that clones the selected elements.
    pub(crate) fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len, data.len())?;
        let mut out = new_memory::vector(self.len)?;
        if let Some(data) = plain_bytes(data) {
            if let Some(job) = Job::new::<T>(self) {
                let out = &mut out.spare_capacity_mut()[..self.len];
                kernels::gather(job, data, bytes_mut(out));
            }
            // SAFETY: the capacity is at least `len`, and copies of plain elements have been written to all `len`
            // elements, unless they are zero-sized.
            unsafe { out.set_len(self.len) };
            return Ok(out);
        }
        self.each_row(|offset, len, stride| match stride {
            1 => out.extend_from_slice(&data[offset..offset + len]),
            _ => out.extend((0..len).map(|i| data[offset_at(offset, stride, i)].clone())),
        });
        Ok(out)
    }

    /// Version of [`gather_into`](Self::gather_into) that clones the selected elements.
    pub(crate) fn gather_cloned_into<T: Clone>(
        &self,
        data: &[T],
        out: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.input_len, data.len())?;
        check_len(self.len, out.len())?;
        if is_plain::<T>()
            && let Some(small) = SmallCopy::of_plan(self)
        {
            // SAFETY: only copies of elements of `data` are written, over elements that have nothing to drop.
            small.gather(data, unsafe { as_uninit(out) });
            return Ok(());
        }
        // SAFETY: only copies of elements of `data` are written.
        if let (Some(data), Some(out)) = (plain_bytes(data), unsafe { plain_bytes_mut(out) }) {
            if let Some(job) = Job::new::<T>(self) {
                kernels::gather(job, data, out);
            }
            return Ok(());
        }
        let mut out = out;
        self.each_row(|offset, len, stride| {
            let row = out
                .split_off_mut(..len)
                .expect("the row should be part of the output");
            match stride {
                1 => row.clone_from_slice(&data[offset..offset + len]),
                _ => {
                    for (i, slot) in row.iter_mut().enumerate() {
                        slot.clone_from(&data[offset_at(offset, stride, i)]);
                    }
                }
            }
        });
        Ok(())
    }

    /// Version of [`scatter`](Self::scatter) that clones `values`. The plan must not select an element more than once.
    pub(crate) fn scatter_cloned<T: Clone>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        // SAFETY: only copies of elements of `values` are written.
        if let (Some(values), Some(into)) = (plain_bytes(values), unsafe { plain_bytes_mut(into) })
        {
            if let Some(job) = Job::new::<T>(self) {
                kernels::scatter(job, values, into);
            }
            return Ok(());
        }
        let mut values = values;
        self.each_row(|offset, len, stride| {
            let row = values
                .split_off(..len)
                .expect("the row should be part of the values");
            match stride {
                1 => into[offset..offset + len].clone_from_slice(row),
                _ => {
                    for (i, value) in row.iter().enumerate() {
                        into[offset_at(offset, stride, i)].clone_from(value);
                    }
                }
            }
        });
        Ok(())
    }

    /// Writes clones of `value` to all planned elements.
    pub(crate) fn fill<T: Clone>(&self, value: &T, into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len, into.len())?;
        self.each_row(|offset, len, stride| match stride {
            1 => into[offset..offset + len].fill(value.clone()),
            _ => (0..len).for_each(|i| into[offset_at(offset, stride, i)].clone_from(value)),
        });
        Ok(())
    }
}
