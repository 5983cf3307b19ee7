//! The elements of a copy between two strided arrays, of which the copy takes parts, and whose axes it reorders and reverses.

use alloc::borrow::Cow;

use smallvec::SmallVec;

use super::plan::CopyPlan;
use crate::resolve::strided::StridedAxis;

/// The index of each side in an array of two.
pub(super) const SOURCE: usize = 0;
pub(super) const TARGET: usize = 1;

/// An axis of both sides: its length, and its stride on each side.
#[derive(Clone, Copy, Debug)]
pub(super) struct TwoSidedAxis {
    pub(super) len: usize,
    pub(super) strides: [isize; 2],
}

/// A set of corresponding elements on both sides of a copy.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The offset of the first element on each side.
    pub(super) offsets: [usize; 2],
    /// INVARIANT: no axis has length 1. The axes are in descending order of their absolute stride in the target, except
    /// in a result of [`contiguous`](Region::contiguous).
    pub(super) axes: SmallVec<[TwoSidedAxis; 6]>,
    pub(super) len: usize,
}

impl Region {
    /// Returns the plan for one side of the region. The memory of this side has `len` elements.
    pub(super) fn plan(&self, side: usize, len: usize) -> CopyPlan {
        let axes = self.axes.iter().map(|axis| StridedAxis {
            len: axis.len,
            stride: axis.strides[side],
        });
        CopyPlan::new(self.offsets[side], axes, len)
            .expect("the region should lie within both sides")
    }

    /// Cuts the region along its first axis into parts with at most `max_elements` elements. If a single position on
    /// that axis contains more elements, each part is one position.
    pub(super) fn parts(&self, max_elements: usize) -> impl Iterator<Item = Self> {
        let first = self.axes[0];
        let step = (max_elements / (self.len / first.len)).max(1);
        (0..first.len).step_by(step).map(move |start| Region {
            offsets: [SOURCE, TARGET]
                .map(|side| shifted(self.offsets[side], first.strides[side] * start as isize)),
            ..self.with_outer_axes_replaced(1, step.min(first.len - start))
        })
    }

    /// Returns the part of the region to gather once, if the outermost axes only repeat the same source elements and
    /// there are at most `max_elements` of these elements. Otherwise, returns `None`. The part includes as many
    /// repetitions as fit into `max_elements` elements.
    pub(super) fn repeated(&self, max_elements: usize) -> Option<Self> {
        let repeats = |axis: &&TwoSidedAxis| axis.strides[SOURCE] == 0;
        let first = self.axes.iter().take_while(repeats).count();
        let times: usize = self.axes[..first].iter().map(|axis| axis.len).product();
        let once = self.len / times;
        (times > 1 && once <= max_elements)
            .then(|| self.with_outer_axes_replaced(first, times.min(max_elements / once)))
    }

    /// Returns the region with its first `depth` axes replaced by `times` positions on the outermost axis.
    fn with_outer_axes_replaced(&self, depth: usize, times: usize) -> Self {
        let repeat = TwoSidedAxis {
            len: times,
            ..self.axes[0]
        };
        let axes = (times != 1).then_some(repeat).into_iter();
        let axes: SmallVec<_> = axes.chain(self.axes[depth..].iter().copied()).collect();
        Region {
            offsets: self.offsets,
            len: axes.iter().map(|axis: &TwoSidedAxis| axis.len).product(),
            axes,
        }
    }

    /// Returns the region with its axes ordered and directed so that its elements are contiguous on one side. Returns
    /// `None` if this is not possible.
    pub(super) fn contiguous(&self, side: usize) -> Option<Cow<'_, Self>> {
        let ascends = |axis: &TwoSidedAxis| axis.strides[side] > 0;
        if self.is_contiguous(side) {
            if self.axes.iter().all(ascends) {
                return Some(Cow::Borrowed(self));
            }
        } else if side == TARGET || self.axes.len() < 2 {
            // The axes are already sorted, so sorting them would not make the elements contiguous.
            return None;
        }
        let mut region = self.clone();
        region.sort_axes_by_stride(side);
        region.make_ascending(side);
        region.is_contiguous(side).then_some(Cow::Owned(region))
    }

    /// Returns `true` if the absolute stride of each axis on one side equals the number of elements in the axes inside
    /// it.
    fn is_contiguous(&self, side: usize) -> bool {
        let mut len = 1;
        self.axes.iter().rev().all(|axis| {
            let follows = axis.strides[side].unsigned_abs() == len;
            len *= axis.len;
            follows
        })
    }

    /// Reverses the axes whose stride is negative on one side.
    pub(super) fn make_ascending(&mut self, side: usize) {
        for axis in &mut self.axes {
            if axis.strides[side] < 0 {
                for (offset, stride) in self.offsets.iter_mut().zip(&mut axis.strides) {
                    *offset = shifted(*offset, *stride * (axis.len as isize - 1));
                    *stride = -*stride;
                }
            }
        }
    }

    /// Sorts the axes by descending absolute stride on one side. Insertion sort suffices, because there are only a few
    /// axes.
    pub(super) fn sort_axes_by_stride(&mut self, side: usize) {
        let stride = |axis: &TwoSidedAxis| axis.strides[side].unsigned_abs();
        for mut k in 1..self.axes.len() {
            while k > 0 && stride(&self.axes[k - 1]) < stride(&self.axes[k]) {
                self.axes.swap(k - 1, k);
                k -= 1;
            }
        }
    }
}

/// Returns `offset + by`. Both `offset` and the result must be within the buffer.
pub(super) fn shifted(offset: usize, by: isize) -> usize {
    offset.wrapping_add_signed(by)
}
