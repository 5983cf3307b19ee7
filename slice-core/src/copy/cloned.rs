//! The copies of the engine for elements that are `Clone`: strings as well as numbers.
//!
//! Numbers and other plain types are copied as bytes; anything else is cloned row by row.

#![expect(unsafe_code)]

use super::job::Job;
use super::plain::{bytes_mut, plain_bytes, plain_bytes_mut};
use super::{GatherPlan, check_len, kernels, new_memory};
use crate::error::SliceError;
use alloc::vec::Vec;

impl GatherPlan {
    /// [`gather`](Self::gather) for elements that are `Clone`.
    pub(crate) fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        check_len(self.input_len, data.len())?;
        let mut out = new_memory::vector(self.len)?;
        if let Some(data) = plain_bytes(data) {
            if let Some(job) = Job::new::<T>(self) {
                let out = &mut out.spare_capacity_mut()[..self.len];
                kernels::gather(job, data, bytes_mut(out));
            }
            // SAFETY: the capacity is at least `len`, and so many copies of plain elements have been written.
            unsafe { out.set_len(self.len) };
            return Ok(out);
        }
        self.each_row(|offset, len, stride| match stride {
            0 => out.extend(core::iter::repeat_n(&data[offset], len).cloned()),
            1 => out.extend_from_slice(&data[offset..offset + len]),
            2.. => out.extend(
                data[offset..]
                    .iter()
                    .step_by(stride as usize)
                    .take(len)
                    .cloned(),
            ),
            ..0 => {
                let down = data[..=offset].iter().rev();
                out.extend(down.step_by(stride.unsigned_abs()).take(len).cloned());
            }
        });
        Ok(out)
    }

    /// [`gather_into`](Self::gather_into) for elements that are `Clone`.
    pub(crate) fn gather_cloned_into<T: Clone>(
        &self,
        data: &[T],
        out: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.input_len, data.len())?;
        check_len(self.len, out.len())?;
        // SAFETY: only copies of elements of `data` are written.
        if let (Some(data), Some(out)) = (plain_bytes(data), unsafe { plain_bytes_mut(out) }) {
            if let Some(job) = Job::new::<T>(self) {
                kernels::gather(job, data, out);
            }
            return Ok(());
        }
        let mut out = out;
        self.each_row(|offset, len, stride| {
            let (row, rest) = core::mem::take(&mut out).split_at_mut(len);
            out = rest;
            match stride {
                0 => row.fill(data[offset].clone()),
                1 => row.clone_from_slice(&data[offset..offset + len]),
                2.. => clone_each(row, data[offset..].iter().step_by(stride as usize)),
                ..0 => clone_each(
                    row,
                    data[..=offset].iter().rev().step_by(stride.unsigned_abs()),
                ),
            }
        });
        Ok(())
    }

    /// [`scatter`](Self::scatter) for elements that are `Clone`; no two places may be the same.
    pub(crate) fn scatter_cloned<T: Clone>(
        &self,
        values: &[T],
        into: &mut [T],
    ) -> Result<(), SliceError> {
        check_len(self.len, values.len())?;
        check_len(self.input_len, into.len())?;
        // SAFETY: only copies of `values` are written.
        if let (Some(values), Some(into)) = (plain_bytes(values), unsafe { plain_bytes_mut(into) })
        {
            if let Some(job) = Job::new::<T>(self) {
                kernels::scatter(job, values, into);
            }
            return Ok(());
        }
        let mut values = values;
        self.each_row(|offset, len, stride| {
            let (row, rest) = values.split_at(len);
            values = rest;
            match stride {
                1 => into[offset..offset + len].clone_from_slice(row),
                0.. => clone_each(into[offset..].iter_mut().step_by(stride as usize), row),
                ..0 => clone_each(
                    into[..=offset]
                        .iter_mut()
                        .rev()
                        .step_by(stride.unsigned_abs()),
                    row,
                ),
            }
        });
        Ok(())
    }

    /// Writes `value` to every selected place.
    pub(crate) fn fill<T: Clone>(&self, value: &T, into: &mut [T]) -> Result<(), SliceError> {
        check_len(self.input_len, into.len())?;
        let each = |place: &mut T| place.clone_from(value);
        self.each_row(|offset, len, stride| match stride {
            1 => into[offset..offset + len].fill(value.clone()),
            0.. => into[offset..]
                .iter_mut()
                .step_by(stride as usize)
                .take(len)
                .for_each(each),
            ..0 => into[..=offset]
                .iter_mut()
                .rev()
                .step_by(stride.unsigned_abs())
                .take(len)
                .for_each(each),
        });
        Ok(())
    }
}

/// Clones as many elements as there are of both.
fn clone_each<'a, T: Clone + 'a>(
    places: impl IntoIterator<Item = &'a mut T>,
    values: impl IntoIterator<Item = &'a T>,
) {
    for (place, value) in places.into_iter().zip(values) {
        place.clone_from(value);
    }
}
