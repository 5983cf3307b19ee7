//! Copies between the selected elements of a strided buffer and a dense buffer, for a [`CopyPlan`] and for the loops over a
//! selection with lists.
//!
//! Elements of plain types, such as numbers, and copies of `Copy` types are copied as bytes. Elements of all other types,
//! such as strings, are cloned row by row.

#![expect(unsafe_code)]

use super::cursor::BlockCursor;
use super::job::{Byte, Job};
use super::plain::{as_uninit, bytes, bytes_mut, is_plain, plain_bytes, plain_bytes_mut};
use super::small::SmallCopy;
use super::{CopyPlan, gathered, kernels, new_memory};
use crate::error::SliceError;
use crate::resolve::strided::StridedAxis;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::{AddAssign, Range};
use core::slice;

/// The offsets of elements at a constant distance.
#[derive(Clone, Copy)]
pub(crate) struct RowOffsets {
    pub(super) offset: usize,
    pub(super) stride: usize,
    pub(super) left: usize,
}

impl RowOffsets {
    /// Returns the offsets as a range if they are consecutive and not only a few.
    pub(crate) fn as_range(&self) -> Option<Range<usize>> {
        (self.stride == 1 && self.left > 4).then(|| self.offset..self.offset + self.left)
    }
}

impl Iterator for RowOffsets {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let offset = self.offset;
        // The sum wraps only after the last element.
        self.offset = offset.wrapping_add(self.stride);
        Some(offset)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for RowOffsets {}

/// The selected elements of a strided buffer. The caller of each method that copies checks that the strided buffer and the dense
/// buffer have the lengths that the selection needs.
pub(crate) trait Elements {
    /// Returns the number of elements.
    fn count(&self) -> usize;

    /// Calls `row` for each row of elements at a constant distance, in output order.
    fn each_row(&self, row: impl FnMut(RowOffsets));

    /// Copies the elements of `from`, each of which has `size` bytes, to `to`, and writes every byte of `to`. `plain` is true
    /// if the elements have no padding and no pointers.
    fn gather_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool);

    /// Copies the elements of `from` to the selected elements of `to`. The last of several values for an element is kept. The
    /// other arguments are as for [`gather_bytes`](Self::gather_bytes).
    fn scatter_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool);

    /// Copies `value`, the bytes of a plain element, to all selected elements of `to`, or returns `false` if this is not faster
    /// than writing them one by one.
    fn fill_bytes(&self, _value: &[Byte], _to: &mut [Byte]) -> bool {
        false
    }

    /// Returns the elements as a copy without a plan, if they are only a few.
    #[inline]
    fn small(&self) -> Option<SmallCopy> {
        None
    }

    /// Gathers into an uninitialized buffer, and initializes all of `out`.
    #[inline]
    fn gather_uninit<T: Copy>(&self, data: &[T], out: &mut [MaybeUninit<T>]) {
        match self.small() {
            Some(small) => small.gather(data, out),
            None => {
                let (from, to) = (bytes(data), bytes_mut(out));
                self.gather_bytes(from, to, size_of::<T>(), is_plain::<T>());
            }
        }
    }

    /// Copies `values` to the selected elements of `into`.
    #[inline]
    fn scatter_copies<T: Copy>(&self, values: &[T], into: &mut [T]) {
        // SAFETY: only copies of elements of `values` are written.
        let into = unsafe { as_uninit(into) };
        let (from, to) = (bytes(values), bytes_mut(into));
        self.scatter_bytes(from, to, size_of::<T>(), is_plain::<T>());
    }

    /// Adds `values` to the selected elements of `into`.
    fn add<T: Copy + AddAssign>(&self, values: &[T], into: &mut [T]) {
        let mut values = values;
        self.each_row(|row| {
            let next = next_values(&mut values, row.left).iter();
            match row.as_range() {
                Some(range) => into[range].iter_mut().zip(next).for_each(|(x, &y)| *x += y),
                None => row.zip(next).for_each(|(offset, &y)| into[offset] += y),
            }
        });
    }

    /// Clones the elements of `data`.
    fn gather_clones<T: Clone>(&self, data: &[T]) -> Result<Vec<T>, SliceError> {
        let Some(from) = plain_bytes(data) else {
            let mut out = new_memory::vector(self.count())?;
            self.each_row(|row| match row.as_range() {
                Some(range) => out.extend_from_slice(&data[range]),
                None => out.extend(row.map(|offset| data[offset].clone())),
            });
            return Ok(out);
        };
        let gather = |out: &mut [_]| self.gather_bytes(from, bytes_mut(out), size_of::<T>(), true);
        // SAFETY: `gather` writes every element, and the elements are plain.
        unsafe { gathered(self.count(), gather) }
    }

    /// Version of [`gather_clones`](Self::gather_clones) that writes to an existing buffer.
    fn gather_clones_into<T: Clone>(&self, data: &[T], out: &mut [T]) {
        if is_plain::<T>()
            && let Some(small) = self.small()
        {
            // SAFETY: only copies of elements of `data` are written, over elements that have nothing to drop.
            return small.gather(data, unsafe { as_uninit(out) });
        }
        // SAFETY: only copies of elements of `data` are written.
        if let (Some(from), Some(to)) = (plain_bytes(data), unsafe { plain_bytes_mut(out) }) {
            return self.gather_bytes(from, to, size_of::<T>(), true);
        }
        let mut out = out;
        self.each_row(|row| {
            let next = out.split_off_mut(..row.left);
            let next = next.expect("the output should have room for each selected element");
            match row.as_range() {
                Some(range) => next.clone_from_slice(&data[range]),
                None => {
                    let pairs = row.zip(next);
                    pairs.for_each(|(offset, out)| out.clone_from(&data[offset]));
                }
            }
        });
    }

    /// Clones `values` to the selected elements of `into`.
    fn scatter_clones<T: Clone>(&self, values: &[T], into: &mut [T]) {
        // SAFETY: only copies of elements of `values` are written.
        if let (Some(from), Some(to)) = (plain_bytes(values), unsafe { plain_bytes_mut(into) }) {
            return self.scatter_bytes(from, to, size_of::<T>(), true);
        }
        let mut values = values;
        self.each_row(|row| {
            let next = next_values(&mut values, row.left);
            match row.as_range() {
                Some(range) => into[range].clone_from_slice(next),
                None => {
                    let pairs = row.zip(next);
                    pairs.for_each(|(offset, value)| into[offset].clone_from(value));
                }
            }
        });
    }

    /// Writes clones of `value` to all selected elements of `into`.
    fn fill<T: Clone>(&self, value: &T, into: &mut [T]) {
        if let Some(from) = plain_bytes(slice::from_ref(value))
            // SAFETY: only copies of `value` are written.
            && let Some(to) = unsafe { plain_bytes_mut(into) }
            && self.fill_bytes(from, to)
        {
            return;
        }
        self.each_row(|row| match row.as_range() {
            Some(range) => into[range].fill(value.clone()),
            None => row.for_each(|offset| into[offset].clone_from(value)),
        });
    }
}

/// Removes the next `len` values.
#[inline(always)]
fn next_values<'a, T>(values: &mut &'a [T], len: usize) -> &'a [T] {
    let next = values.split_off(..len);
    next.expect("there should be a value for each selected element")
}

/// A plan must not select an element more than once if elements are written.
impl Elements for CopyPlan {
    fn count(&self) -> usize {
        self.len
    }

    #[inline]
    fn each_row(&self, mut row: impl FnMut(RowOffsets)) {
        let (inner, outer) = match self.axes.split_last() {
            Some((&inner, outer)) => (inner, outer),
            None => (StridedAxis { len: 1, stride: 1 }, &[][..]),
        };
        let (mut cursor, mut left) = (BlockCursor::new(self.offset, outer, 1, inner), self.len);
        while left > 0 {
            let block = cursor.take(left);
            let mut offset = block.offset;
            for _ in 0..block.rows {
                row(RowOffsets {
                    offset,
                    stride: inner.stride.cast_unsigned(),
                    left: block.cells,
                });
                offset = offset.wrapping_add_signed(cursor.row_distance());
            }
            left -= block.rows * block.cells;
        }
    }

    #[inline]
    fn gather_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool) {
        if let Some(job) = Job::of_bytes(self, size, plain) {
            kernels::gather(job, from, to);
        }
    }

    #[inline]
    fn scatter_bytes(&self, from: &[Byte], to: &mut [Byte], size: usize, plain: bool) {
        if let Some(job) = Job::of_bytes(self, size, plain) {
            kernels::scatter(job, from, to);
        }
    }

    #[inline]
    fn small(&self) -> Option<SmallCopy> {
        SmallCopy::of_plan(self)
    }
}
