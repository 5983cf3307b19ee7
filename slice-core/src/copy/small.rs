//! Copies a few elements without a plan and without merging axes, because planning would take longer than the copy
//! itself.

use super::plan::CopyPlan;
use crate::resolve::selection::Selection;
use crate::resolve::strided::StridedAxis;
use core::mem::{self, MaybeUninit};

/// The maximum number of elements that are copied without a plan.
const MAX_SMALL_ELEMENTS: usize = 48;

/// Three nested loops over the elements to copy, and the offset of the first element.
pub(crate) struct SmallCopy {
    offset: usize,
    /// The loops, from the outermost to the innermost.
    loops: [StridedAxis; 3],
}

impl SmallCopy {
    /// Returns the loops over `axes`, which are listed from the innermost to the outermost and have `len` elements in
    /// total. The first value of each pair is a distance that is added to `offset`. Returns `None` if `len` is 0 or
    /// greater than [`MAX_SMALL_ELEMENTS`], or if more than three axes are longer than 1.
    #[inline(always)]
    pub(super) fn new(
        offset: usize,
        axes: impl Iterator<Item = (isize, StridedAxis)>,
        len: usize,
    ) -> Option<Self> {
        if len > MAX_SMALL_ELEMENTS || len == 0 {
            return None;
        }
        let mut small = Self::single(offset);
        let mut depth = small.loops.len();
        for (first, axis) in axes {
            small.offset = small.offset.wrapping_add_signed(first);
            if axis.len != 1 {
                depth = depth.checked_sub(1)?;
                small.loops[depth] = axis;
            }
        }
        Some(small)
    }

    /// Returns the loops of a selection, or `None` under the same conditions as [`new`](Self::new).
    #[inline(always)]
    pub(super) fn of_selection(selection: &Selection) -> Option<Self> {
        Self::new(0, selection.flat_axes(), selection.len())
    }

    /// Returns the loops of a plan, or `None` under the same conditions as [`new`](Self::new).
    #[inline]
    pub(super) fn of_plan(plan: &CopyPlan) -> Option<Self> {
        let depth = 3_usize.checked_sub(plan.axes.len())?;
        if plan.len > MAX_SMALL_ELEMENTS || plan.len == 0 {
            return None;
        }
        let mut small = Self::single(plan.offset);
        for (small, &axis) in small.loops[depth..].iter_mut().zip(&plan.axes) {
            *small = axis;
        }
        Some(small)
    }

    #[inline(always)]
    fn single(offset: usize) -> Self {
        let once = StridedAxis { len: 1, stride: 0 };
        let loops = [once; 3];
        Self { offset, loops }
    }

    /// Gathers from `data` into `out`, and initializes all of `out`. The lengths of both buffers must match the
    /// selection or plan.
    #[inline(always)]
    pub(super) fn gather<T: Clone>(&self, data: &[T], out: &mut [MaybeUninit<T>]) {
        let [planes, rows, row] = self.loops;
        let mut out = out.iter_mut();
        let mut plane_at = self.offset;
        for _ in 0..planes.len {
            let mut row_at = plane_at;
            for _ in 0..rows.len {
                match row.stride {
                    1 => write(out.by_ref().take(row.len), &data[row_at..row_at + row.len]),
                    -1 => {
                        let (slots, rest) = mem::take(&mut out).into_slice().split_at_mut(row.len);
                        write_reversed(slots, &data[row_at + 1 - row.len..=row_at]);
                        out = rest.iter_mut();
                    }
                    stride => {
                        let mut element_at = row_at;
                        for slot in out.by_ref().take(row.len) {
                            slot.write(data[element_at].clone());
                            // The sum wraps only after the last element.
                            element_at = element_at.wrapping_add_signed(stride);
                        }
                    }
                }
                row_at = row_at.wrapping_add_signed(rows.stride);
            }
            plane_at = plane_at.wrapping_add_signed(planes.stride);
        }
    }
}

#[inline(always)]
fn write<'a, T: Clone + 'a>(
    slots: impl Iterator<Item = &'a mut MaybeUninit<T>>,
    elements: impl IntoIterator<Item = &'a T>,
) {
    for (slot, element) in slots.zip(elements) {
        slot.write(element.clone());
    }
}

/// Writes elements in reverse order, eight at a time, because a single instruction can reverse eight 1-byte elements.
#[inline(always)]
fn write_reversed<T: Clone>(slots: &mut [MaybeUninit<T>], elements: &[T]) {
    let (groups, slots) = slots.as_chunks_mut::<8>();
    let (elements, last) = elements.as_rchunks::<8>();
    for (slots, elements) in groups.iter_mut().zip(last.iter().rev()) {
        write(slots.iter_mut(), elements.iter().rev());
    }
    write(slots.iter_mut(), elements.iter().rev());
}
