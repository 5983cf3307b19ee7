//! The plan in bytes: rows of runs of contiguous bytes, at byte distances.
//!
//! Only bytes move here, as `MaybeUninit<u8>`, because an element may have padding, any alignment and any size. An
//! innermost axis of stride 1 is part of the run: `[:, 1:3]` of `f32` copies runs of 8 bytes.

use super::cursor::BlockCursor;
use super::isa::InstructionSet;
use super::plain::is_plain;
use super::plan::GatherPlan;
use crate::resolve::strided::Dim;
use core::mem::MaybeUninit;

/// A byte of an element, which may be padding.
pub(super) type Byte = MaybeUninit<u8>;

/// Longer runs are rows of bytes to the kernels: there are no better cells than that.
const MAX_RUN_BYTES: usize = 256;

/// A plan for elements of a known size; every copy has at least one byte.
///
/// INVARIANT: `run` bytes from every place that `offset`, the row and the outer axes name lie within `strided` bytes, and
/// there are `dense` bytes of them; no stride times `size` overflows, nor that times the length of its axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    /// Bytes per element, by which strides of `outer` are to be multiplied.
    pub(super) size: usize,
    /// Bytes from the start of the strided buffer to the first run.
    pub(super) offset: usize,
    /// The length of every run in bytes. INVARIANT: not 0.
    pub(super) run: usize,
    /// Runs per row, and the bytes from one to the next.
    pub(super) row: Dim,
    /// The axes to repeat the row over, with strides in elements.
    pub(super) outer: &'a [Dim],
    /// Bytes of the strided buffer.
    pub(super) strided: usize,
    /// Bytes of the dense buffer.
    pub(super) dense: usize,
    /// Whether the elements are plain: all of their bytes are numbers.
    pub(super) plain: bool,
    /// No richer set is used, for tests and measurements.
    pub(super) limit: Option<InstructionSet>,
}

impl<'a> Job<'a> {
    /// A plan for elements of the type `T`; `None` when there is nothing to copy: no element is selected, or elements have
    /// no size.
    ///
    /// Buffers of the plan's lengths must exist: that bounds all that is computed here.
    #[inline]
    pub(super) fn new<T>(plan: &'a GatherPlan) -> Option<Self> {
        Self::of_bytes(plan, size_of::<T>(), is_plain::<T>())
    }

    /// The same for elements of so many bytes.
    #[inline]
    pub(super) fn of_bytes(plan: &'a GatherPlan, size: usize, plain: bool) -> Option<Self> {
        if plan.len == 0 || size == 0 {
            return None;
        }
        let (mut dims, mut run) = (plan.dims.as_slice(), size);
        if let [outer @ .., Dim { len, stride: 1 }] = dims {
            (dims, run) = (outer, len * size);
        }
        let (run, row, outer) = match dims.split_last() {
            Some((&row, outer)) if run <= MAX_RUN_BYTES => (run, row.scaled(size), outer),
            _ => (
                1,
                Dim {
                    len: run,
                    stride: 1,
                },
                dims,
            ),
        };
        Some(Self {
            size,
            offset: plan.offset * size,
            run,
            row,
            outer,
            strided: plan.input_len * size,
            dense: plan.len * size,
            plain,
            limit: plan.limit,
        })
    }

    /// Whether the runs of a row follow each other without gaps.
    #[inline(always)]
    pub(super) fn is_contiguous(&self) -> bool {
        self.row.stride == self.run as isize
    }

    /// At the first run.
    #[inline(always)]
    pub(super) fn cursor(&self) -> BlockCursor<'a> {
        BlockCursor::new(self.offset, self.outer, self.size, self.row)
    }
}
