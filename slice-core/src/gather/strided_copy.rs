//! Copying between two sides that are both strided: an assignment whose value is broadcast, reversed or transposed.
//!
//! The engine copies between a strided buffer and a contiguous one, in either direction. So:
//!
//! 1. If, with the axes in a suitable order and direction, one side turns out contiguous, one call does it all.
//! 2. A value with a single element fills.
//! 3. What is small enough is gathered into a tile that stays in the cache, and scattered from there.
//! 4. What is larger is cut along its outermost axis, and each part is copied by these rules.
//!
//! Elements that are not plain would be cloned twice by 3; they are cloned one by one instead.

#![expect(unsafe_code)]

use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use smallvec::SmallVec;

use super::sides::{Source, Target};
use super::{GatherPlan, is_plain};

/// Bytes of a tile: half of what a first-level cache holds.
const TILE: usize = 16 << 10;

/// A contiguous run of at least so many bytes is filled in place.
const LONG_RUN: usize = 256;

/// The side that is read, and the side that is written.
const FROM: usize = 0;
const TO: usize = 1;

/// An axis of both sides: its length, and the distance between neighbours on each side.
#[derive(Clone, Copy, Debug)]
struct Axis {
    len: usize,
    strides: [isize; 2],
}

/// A block of elements that lies in two buffers.
#[derive(Clone, Debug)]
pub(crate) struct StridedCopy {
    /// The first element on each side.
    offsets: [usize; 2],
    /// INVARIANT: no axis has length 1.
    axes: SmallVec<[Axis; 6]>,
    len: usize,
}

impl StridedCopy {
    /// A block of this shape, which has elements, at an offset and strides of the buffer that is read and of the one that is
    /// written.
    ///
    /// Different positions must be different places of the buffer that is written.
    pub(crate) fn new(shape: &[usize], from: (usize, &[isize]), to: (usize, &[isize])) -> Self {
        let axes = shape.iter().zip(from.1).zip(to.1);
        let axes = axes
            .map(|((&len, &from), &to)| Axis {
                len,
                strides: [from, to],
            })
            .filter(|axis| axis.len != 1);
        let mut block = StridedCopy {
            offsets: [from.0, to.0],
            axes: axes.collect(),
            len: shape.iter().product(),
        };
        block.sort_by(TO);
        block
    }

    /// Writes clones of the elements of `from` to their places in `to`.
    pub(crate) fn copy<T: Clone>(&self, from: &[T], to: &mut [T]) {
        // SAFETY: no side is made of parts.
        unsafe { self.run(&from.into(), &mut to.into()) };
    }

    /// Writes clones of `value` to the places in `to`.
    pub(crate) fn fill<T: Clone>(&self, value: &T, to: &mut [T]) {
        // SAFETY: the target is not made of parts.
        unsafe { self.fill_with(value, &mut to.into()) };
    }

    /// [`copy`](Self::copy) from and to any sides.
    ///
    /// # Safety
    ///
    /// If a side is made of parts, its places in this block hold elements.
    pub(crate) unsafe fn run<T: Clone>(&self, from: &Source<'_, T>, to: &mut Target<'_, T>) {
        // SAFETY: by the contract.
        unsafe { self.run_with(&mut Vec::new(), from, to) };
    }

    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn run_with<T: Clone>(
        &self,
        tile: &mut Vec<T>,
        from: &Source<'_, T>,
        to: &mut Target<'_, T>,
    ) {
        if let Some(block) = self.contiguous(TO) {
            // SAFETY: places of this block, as are all below.
            let place = unsafe { to.dense(block.offsets[TO], self.len) };
            // SAFETY: by the contract.
            unsafe { from.gather(&block.plan(FROM, from.len()), place) };
        } else if let Some(block) = self.contiguous(FROM) {
            // SAFETY: by the contract.
            let values = unsafe { from.dense(block.offsets[FROM], self.len) };
            // SAFETY: by the contract.
            unsafe { to.scatter(&block.plan(TO, to.len()), values) };
        } else if self.axes.iter().all(|axis| axis.strides[FROM] == 0) {
            // SAFETY: by the contract.
            let value = unsafe { from.dense(self.offsets[FROM], 1) };
            // SAFETY: by the contract.
            unsafe { self.fill_with(&value[0], to) };
        } else if let (false, Some(from), Some(to)) =
            (is_plain::<T>(), from.whole(), to.whole_mut())
        {
            clone_each(self.offsets, &self.axes, from, to);
        } else if self.len <= most::<T>() {
            // SAFETY: by the contract.
            let any = unsafe { from.dense(self.offsets[FROM], 1) };
            if tile.len() < self.len {
                tile.resize(self.len, any[0].clone());
            }
            let tile = &mut tile[..self.len];
            // SAFETY: by the contract.
            unsafe { from.gather(&self.plan(FROM, from.len()), tile) };
            // SAFETY: by the contract.
            unsafe { to.scatter(&self.plan(TO, to.len()), tile) };
        } else {
            self.parts(most::<T>(), |part| {
                // SAFETY: what is in a part is in this block.
                unsafe { part.run_with(tile, from, to) };
            });
        }
    }

    /// [`fill`](Self::fill) of any side.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    pub(crate) unsafe fn fill_with<T: Clone>(&self, value: &T, to: &mut Target<'_, T>) {
        let run = match self.axes.last() {
            Some(axis) if axis.strides[TO].unsigned_abs() == 1 => axis.len,
            _ => 1,
        };
        let in_place = !is_plain::<T>() || run * size_of::<T>() >= LONG_RUN || self.len == 1;
        match to.whole_mut() {
            Some(to) if in_place => {
                let plan = self.plan(TO, to.len());
                plan.fill(value, to).expect("as planned");
            }
            _ => {
                let values = vec![value.clone(); most::<T>().min(self.len)];
                // SAFETY: by the contract.
                unsafe { self.fill_from(&values, to) };
            }
        }
    }

    /// Writes as many of the equal `values` as there are places in `to`.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn fill_from<T: Clone>(&self, values: &[T], to: &mut Target<'_, T>) {
        match values.get(..self.len) {
            // SAFETY: by the contract.
            Some(values) => unsafe { to.scatter(&self.plan(TO, to.len()), values) },
            None => self.parts(values.len(), |part| {
                // SAFETY: what is in a part is in this block.
                unsafe { part.fill_from(values, to) };
            }),
        }
    }

    /// The one side, of this length, as a plan for the engine.
    fn plan(&self, side: usize, len: usize) -> GatherPlan {
        let axes = self.axes.iter().map(|axis| (axis.len, axis.strides[side]));
        GatherPlan::new(self.offsets[side], axes, len).expect("a block lies within its sides")
    }

    /// The block cut along its first axis into parts of at most `most` elements, or else of a single position.
    fn parts(&self, most: usize, mut each: impl FnMut(&Self)) {
        let (first, inner) = (self.axes[0], &self.axes[1..]);
        let step = (most / (self.len / first.len)).max(1);
        for start in (0..first.len).step_by(step) {
            let len = step.min(first.len - start);
            let cut = (len != 1).then_some(Axis { len, ..first });
            each(&StridedCopy {
                offsets: [FROM, TO]
                    .map(|side| moved(self.offsets[side], first.strides[side] * start as isize)),
                axes: cut.into_iter().chain(inner.iter().copied()).collect(),
                len: self.len / first.len * len,
            });
        }
    }

    /// The same block with its axes in such order and direction that they are contiguous on one side; `None` if they
    /// are not in any.
    fn contiguous(&self, side: usize) -> Option<Self> {
        let mut block = self.clone();
        block.sort_by(side);
        let mut len = 1;
        for axis in block.axes.iter_mut().rev() {
            if axis.strides[side].unsigned_abs() != len {
                return None;
            }
            len *= axis.len;
            if axis.strides[side] < 0 {
                for (offset, stride) in block.offsets.iter_mut().zip(&mut axis.strides) {
                    *offset = moved(*offset, *stride * (axis.len as isize - 1));
                    *stride = -*stride;
                }
            }
        }
        Some(block)
    }

    /// Puts the axes that reach furthest on one side first.
    fn sort_by(&mut self, side: usize) {
        self.axes
            .sort_by_key(|axis| Reverse(axis.strides[side].unsigned_abs()));
    }
}

/// The most elements that a tile may have.
fn most<T>() -> usize {
    (TILE / size_of::<T>().max(1)).max(1)
}

/// An offset that is in its buffer before and after.
fn moved(offset: usize, by: isize) -> usize {
    offset.wrapping_add_signed(by)
}

fn clone_each<T: Clone>(offsets: [usize; 2], axes: &[Axis], from: &[T], to: &mut [T]) {
    let Some((axis, inner)) = axes.split_first() else {
        to[offsets[TO]].clone_from(&from[offsets[FROM]]);
        return;
    };
    for i in 0..axis.len as isize {
        let offsets = [FROM, TO].map(|side| moved(offsets[side], axis.strides[side] * i));
        clone_each(offsets, inner, from, to);
    }
}
