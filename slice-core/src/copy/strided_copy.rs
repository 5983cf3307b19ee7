//! Copying between two sides that are both strided: an assignment whose value is broadcast, reversed or transposed.
//!
//! The engine copies between a strided buffer and a contiguous one, in either direction. So:
//!
//! 1. If, with the axes in a suitable order and direction, one side turns out contiguous, one call does it all.
//! 2. A value with a single element fills.
//! 3. What is small enough is gathered into a tile that stays in the cache, and scattered from there.
//! 4. What is larger is cut along its outermost axis, and each part is copied by these rules. Where a small value is only
//!    repeated, a tile of it is scattered again and again.
//!
//! Elements that are not plain would be cloned twice by 3; they are cloned one by one instead.

#![expect(unsafe_code)]

use alloc::borrow::Cow;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use smallvec::SmallVec;

use super::sides::{Source, Target};
use super::{GatherPlan, is_plain};

/// Bytes of a tile: half of what a first-level cache holds.
const TILE: usize = 16 << 10;

/// Bytes of a tile that is scattered again and again: enough for whole steps of any kernel.
const REPEATED: usize = 4 << 10;

/// Contiguous runs of at least so many bytes are filled in place.
const LONG_RUN: usize = 256;

/// Elements so many bytes apart are written one by one by any kernel, so that a fill may as well.
const FAR: usize = 64;

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
    /// INVARIANT: no axis has length 1; the axes that reach furthest on the side that is written come first.
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
        // SAFETY: the caller says that the places of this block hold elements.
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
            // SAFETY: the target is contiguous in this block, so these are the places of the block.
            let place = unsafe { to.dense(block.offsets[TO], self.len) };
            // SAFETY: the plan selects the places of this block in the source.
            unsafe { from.gather(&block.plan(FROM, from.len()), place) };
        } else if let Some(block) = self.contiguous(FROM) {
            // SAFETY: the source is contiguous in this block, so these are the places of the block.
            let values = unsafe { from.dense(block.offsets[FROM], self.len) };
            // SAFETY: the plan selects the places of this block in the target.
            unsafe { to.scatter(&block.plan(TO, to.len()), values) };
        } else if self.axes.iter().all(|axis| axis.strides[FROM] == 0) {
            // SAFETY: the block has elements, and this is the first one's place.
            let value = unsafe { from.dense(self.offsets[FROM], 1) };
            // SAFETY: the caller says that the places of this block hold elements.
            unsafe { self.fill_with(&value[0], to) };
        } else if let (false, Some(from), Some(to)) =
            (is_plain::<T>(), from.whole(), to.whole_mut())
        {
            clone_each(self.offsets, &self.axes, from, to);
        } else if let Some(repeated) = self.repeated(most::<T>(REPEATED)) {
            // SAFETY: the places of `repeated` are some of this block.
            let values = unsafe { repeated.tile(tile, from) };
            // SAFETY: the plan selects the places of this block in the target.
            unsafe { to.scatter_repeated(&self.plan(TO, to.len()), values) };
        } else if self.len <= most::<T>(TILE) {
            // SAFETY: the caller says that the places of this block hold elements.
            let values = unsafe { self.tile(tile, from) };
            // SAFETY: the plan selects the places of this block in the target.
            unsafe { to.scatter(&self.plan(TO, to.len()), values) };
        } else {
            self.parts(most::<T>(TILE), |part| {
                // SAFETY: what is in a part is in this block.
                unsafe { part.run_with(tile, from, to) };
            });
        }
    }

    /// Clones of the elements of `from`, in the order of the axes.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    unsafe fn tile<'a, T: Clone>(&self, tile: &'a mut Vec<T>, from: &Source<'_, T>) -> &'a [T] {
        if tile.len() < self.len {
            // SAFETY: the block has elements, and this is the first one's place.
            let any = unsafe { from.dense(self.offsets[FROM], 1) };
            tile.resize(self.len, any[0].clone());
        }
        let tile = &mut tile[..self.len];
        // SAFETY: the plan selects the places of this block in the source.
        unsafe { from.gather(&self.plan(FROM, from.len()), tile) };
        tile
    }

    /// [`fill`](Self::fill) of any side.
    ///
    /// # Safety
    ///
    /// As [`run`](Self::run).
    pub(crate) unsafe fn fill_with<T: Clone>(&self, value: &T, to: &mut Target<'_, T>) {
        let mut block = self.clone();
        block.ascend(TO);
        let plan = block.plan(TO, to.len());
        match to.whole_mut() {
            Some(to) if !is_plain::<T>() || is_filled_in_place(&plan, size_of::<T>()) => {
                plan.fill(value, to).expect("as planned");
            }
            _ => {
                let values = vec![value.clone(); whole_rows(&plan, most::<T>(REPEATED))];
                // SAFETY: the plan selects the places of this block in the target.
                unsafe { to.scatter_repeated(&plan, &values) };
            }
        }
    }

    /// The one side, of this length, as a plan for the engine.
    fn plan(&self, side: usize, len: usize) -> GatherPlan {
        let axes = self.axes.iter().map(|axis| (axis.len, axis.strides[side]));
        GatherPlan::new(self.offsets[side], axes, len).expect("a block lies within its sides")
    }

    /// The block cut along its first axis into parts of at most `most` elements, or else of a single position.
    fn parts(&self, most: usize, mut each: impl FnMut(&Self)) {
        let first = self.axes[0];
        let step = (most / (self.len / first.len)).max(1);
        for start in (0..first.len).step_by(step) {
            let len = step.min(first.len - start);
            each(&StridedCopy {
                offsets: [FROM, TO]
                    .map(|side| moved(self.offsets[side], first.strides[side] * start as isize)),
                ..self.inside(1, len)
            });
        }
    }

    /// If the first few axes repeat a block of at most `most` elements: as many positions of these as have so many.
    fn repeated(&self, most: usize) -> Option<Self> {
        let repeats = |axis: &&Axis| axis.strides[FROM] == 0;
        let first = self.axes.iter().take_while(repeats).count();
        let times: usize = self.axes[..first].iter().map(|axis| axis.len).product();
        let once = self.len / times;
        (times > 1 && once <= most).then(|| self.inside(first, times.min(most / once)))
    }

    /// What is inside the first `depth` axes, `times` times at the distance of the outermost.
    fn inside(&self, depth: usize, times: usize) -> Self {
        let repeat = Axis {
            len: times,
            ..self.axes[0]
        };
        let axes = (times != 1).then_some(repeat).into_iter();
        let axes: SmallVec<_> = axes.chain(self.axes[depth..].iter().copied()).collect();
        StridedCopy {
            offsets: self.offsets,
            len: axes.iter().map(|axis: &Axis| axis.len).product(),
            axes,
        }
    }

    /// The same block with its axes in such order and direction that they are contiguous on one side; `None` if they
    /// are not in any.
    fn contiguous(&self, side: usize) -> Option<Cow<'_, Self>> {
        let ascends = |axis: &Axis| axis.strides[side] > 0;
        if self.follows(side) {
            if self.axes.iter().all(ascends) {
                return Some(Cow::Borrowed(self));
            }
        } else if side == TO || self.axes.len() < 2 {
            // Already in the best order.
            return None;
        }
        let mut block = self.clone();
        block.sort_by(side);
        block.ascend(side);
        block.follows(side).then_some(Cow::Owned(block))
    }

    /// Whether each axis is as far apart as all that is inside it.
    fn follows(&self, side: usize) -> bool {
        let mut len = 1;
        self.axes.iter().rev().all(|axis| {
            let follows = axis.strides[side].unsigned_abs() == len;
            len *= axis.len;
            follows
        })
    }

    /// Turns axes that run downwards on one side.
    fn ascend(&mut self, side: usize) {
        for axis in &mut self.axes {
            if axis.strides[side] < 0 {
                for (offset, stride) in self.offsets.iter_mut().zip(&mut axis.strides) {
                    *offset = moved(*offset, *stride * (axis.len as isize - 1));
                    *stride = -*stride;
                }
            }
        }
    }

    /// Puts the axes that reach furthest on one side first.
    fn sort_by(&mut self, side: usize) {
        self.axes
            .sort_by_key(|axis| Reverse(axis.strides[side].unsigned_abs()));
    }
}

/// The most elements that a tile of so many bytes may have.
fn most<T>(bytes: usize) -> usize {
    (bytes / size_of::<T>().max(1)).max(1)
}

/// Whether writing the element to each place takes no longer than scattering copies of it.
fn is_filled_in_place(plan: &GatherPlan, size: usize) -> bool {
    plan.dims.last().is_none_or(|row| match row.stride {
        1 => row.len * size >= LONG_RUN,
        stride => stride.unsigned_abs() * size >= FAR,
    })
}

/// At most `most` elements that are, if possible, whole rows, or whole blocks of these, and so on.
fn whole_rows(plan: &GatherPlan, most: usize) -> usize {
    let rows = plan.dims.iter().rev().scan(1, |len, dim| {
        *len *= dim.len;
        (*len <= most).then_some(*len)
    });
    let whole = rows.last().unwrap_or(1);
    plan.len().min(most / whole * whole)
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
