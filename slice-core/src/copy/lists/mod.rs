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

#[cfg(feature = "py")]
use alloc::vec::Vec;

use super::elements::{Elements, RowOffsets};
use super::job::Byte;
#[cfg(feature = "py")]
use super::new_memory;
#[cfg(feature = "py")]
use super::plain::{bytes_mut, plain_bytes};
#[cfg(feature = "py")]
use crate::bits::{self, Bits};
use crate::resolve::layout::c_strides;
use crate::resolve::selection::Selection;
use bytes::{Gather, Scatter, is_copied_by_mask, parts, prefetch_later};
use walk::LoopPlan;

impl Selection {
    /// Returns the loops over the selected elements of a flat C-order buffer.
    pub(super) fn loops(&self) -> LoopPlan<'_> {
        LoopPlan::new(self, 0, &c_strides(self.input_shape()))
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

impl Elements for LoopPlan<'_> {
    fn count(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn each_row(&self, row: impl FnMut(RowOffsets)) {
        self.rows(row);
    }

    fn gather_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool) {
        let mut buffers = Gather::new(from, to);
        self.copy_bytes(&mut buffers, size, plain);
        assert!(buffers.is_full(), "every byte should be written");
    }

    fn scatter_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool) {
        self.copy_bytes(&mut Scatter::new(from, to), size, plain);
    }

    fn fill_bytes(&self, value: &[Byte], to: &mut [Byte]) -> bool {
        let size = value.len();
        let (list, stride) = &self.last;
        if let Some(mask) = list.mask()
            && is_copied_by_mask(&self.inner, *stride, size, size)
        {
            self.each_block(|offset| {
                let to = &mut to[offset * size..][..mask.len() * size];
                let (parts, prefetches) = parts(mask, list.len(), size);
                for part in parts {
                    let (first, to) = (part.start / size, &mut to[part]);
                    if prefetches {
                        prefetch_later(to, to.len());
                    }
                    // SAFETY: the value and the elements are plain and initialized, so all their bytes are initialized.
                    unsafe { mask.fill(first, value, to) };
                }
            });
            return true;
        }
        false
    }
}
