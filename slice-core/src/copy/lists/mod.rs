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
use core::mem::MaybeUninit;
use core::ops::AddAssign;
use core::slice;

use super::plain::{as_uninit, bytes, bytes_mut, is_plain, plain_bytes, plain_bytes_mut};
use super::{gathered, new_memory};
#[cfg(feature = "py")]
use crate::bits::{self, Bits};
use crate::error::SliceError;
use crate::resolve::layout::c_strides;
use crate::resolve::selection::Selection;
use bytes::{Scatter, is_copied_by_mask, reads_gaps};
use walk::LoopPlan;

impl Selection {
    /// Returns the loops over the selected elements of a flat C-order buffer.
    pub(super) fn loops(&self) -> LoopPlan<'_> {
        LoopPlan::new(self, &[], 0, &c_strides(self.input_shape()))
    }
}

impl LoopPlan<'_> {
    /// Gathers into an uninitialized buffer, and initializes all of `out`. The lengths of both buffers must match the
    /// selection.
    pub(super) fn gather_uninit<T: Copy>(&self, data: &[T], out: &mut [MaybeUninit<T>]) {
        let (from, to) = (bytes(data), bytes_mut(out));
        self.gather_bytes(from, to, size_of::<T>(), is_plain::<T>());
    }

    pub(super) fn scatter<T: Copy>(&self, values: &[T], into: &mut [T]) {
        // SAFETY: only copies of elements of `values` are written.
        let into = unsafe { as_uninit(into) };
        let (from, to) = (bytes(values), bytes_mut(into));
        self.copy_bytes(&mut Scatter::new(from, to), size_of::<T>(), is_plain::<T>());
    }

    pub(super) fn scatter_add<T: Copy + AddAssign>(&self, values: &[T], into: &mut [T]) {
        let mut values = values;
        self.each_row(|row| {
            let (next, rest) = values.split_at(row.len());
            values = rest;
            row.zip(next)
                .for_each(|(offset, &value)| into[offset] += value);
        });
    }
}

/// Returns the selected elements, or `None` if there are fewer than 64 elements, if their type cannot be copied by a mask,
/// or if there is not enough memory. `select(k, selected)` writes whether the elements `64 * k` to `64 * k + 63` are
/// selected. If some of these are beyond the end, it writes whether the last 64 elements are selected.
#[cfg(feature = "py")]
pub(crate) fn filter<T: Clone>(
    elements: &[T],
    select: impl Fn(usize, &mut [bool; 64]),
) -> Option<Vec<T>> {
    elements.first_chunk::<64>()?;
    let (whole, rest) = elements.split_at(elements.len() / 64 * 64);
    let from = plain_bytes(whole).filter(|_| Bits::copies(size_of::<T>()))?;
    // The operating system maps only the pages that are written, so room for all elements takes no more memory than room for
    // those that are selected.
    let mut out = new_memory::vector(elements.len()).ok()?;
    let to = bytes_mut(out.spare_capacity_mut());
    // SAFETY: the bytes are those of plain elements, all of which are initialized.
    let kept = unsafe { bits::filter::<T>(&select, from, to, None) };
    // SAFETY: `kept` elements have been copied to the vector.
    unsafe { out.set_len(kept) };
    if !rest.is_empty() {
        let mut selected = [false; 64];
        select(whole.len() / 64, &mut selected);
        let kept = rest.iter().zip(&selected[64 - rest.len()..]);
        let kept = kept.filter(|(_, is_selected)| **is_selected);
        out.extend(kept.map(|(element, _)| element.clone()));
    }
    if out.len() < out.capacity() / 2 {
        out.shrink_to_fit();
    }
    Some(out)
}

/// Copies elements whose type is only required to be `Clone`. Plain elements are copied as bytes, and other elements
/// are cloned one by one.
impl LoopPlan<'_> {
    pub(crate) fn gather_cloned<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        let Some(from) = plain_bytes(data) else {
            let mut out = new_memory::vector(self.len())?;
            self.each_row(|row| out.extend(row.map(|offset| data[offset].clone())));
            return Ok(out);
        };
        // SAFETY: when the copy returns, it has written every element of `out`, and the elements are plain.
        unsafe {
            gathered(self.len(), |out| {
                self.gather_bytes(from, bytes_mut(out), size_of::<T>(), true);
                Ok(())
            })
        }
    }

    #[cfg(feature = "ndarray")]
    pub(crate) fn gather_cloned_into<T: Clone>(&self, data: &[T], out: &mut [T]) {
        // SAFETY: only copies of elements of `data` are written.
        if let (Some(from), Some(to)) = (plain_bytes(data), unsafe { plain_bytes_mut(out) }) {
            return self.gather_bytes(from, to, size_of::<T>(), true);
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
            return self.copy_bytes(&mut Scatter::new(from, to), size_of::<T>(), true);
        }
        let mut values = values.iter();
        self.each_row(|row| {
            for (offset, value) in row.zip(values.by_ref()) {
                into[offset].clone_from(value);
            }
        });
    }

    pub(crate) fn fill<T: Clone>(&self, value: &T, into: &mut [T]) {
        let size = size_of::<T>();
        if let Some((list, stride)) = self.last
            && let Some(mask) = list.mask()
            && is_copied_by_mask(&self.inner, stride, size, size)
            && let Some(from) = plain_bytes(slice::from_ref(value))
            // SAFETY: only copies of `value` are written.
            && let Some(to) = unsafe { plain_bytes_mut(into) }
        {
            return self.each_block(|offset| {
                let to = &mut to[offset * size..][..mask.len() * size];
                // SAFETY: the value and the elements are plain and initialized, so all their bytes are initialized.
                unsafe { mask.fill(from, to, reads_gaps(mask, list.len(), size)) };
            });
        }
        self.each_row(|row| match row.as_range() {
            Some(range) => into[range].fill(value.clone()),
            None => row.for_each(|offset| into[offset].clone_from(value)),
        });
    }
}
