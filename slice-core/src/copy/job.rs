//! A plan converted to bytes: rows of runs, with distances in bytes.
//!
//! Bytes move as `MaybeUninit<u8>`, because an element may have padding, any alignment and any size. An innermost axis
//! of stride 1 is part of the run: `[:, 1:3]` of `f32` copies runs of 8 bytes.

use super::cursor::BlockCursor;
use super::plain::is_plain;
use super::plan::GatherPlan;
use crate::processor::isa::InstructionSet;
use crate::resolve::strided::Dim;
use core::mem::MaybeUninit;

/// A byte of an element, which may be padding.
pub(super) type Byte = MaybeUninit<u8>;

/// The maximum length of a run that is copied as one unit, in bytes. Longer runs become rows of single bytes.
const MAX_RUN_BYTES: usize = 256;

/// A plan for elements of a known size, which copies at least one byte.
///
/// INVARIANT: every run, at each place that `offset`, `row` and `outer` define, is within the first `strided` bytes.
/// The runs have `dense` bytes in total. The product of a stride and `size` does not overflow, nor does its product
/// with the length of the axis.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    /// Bytes per element, which scale the strides of `outer`.
    pub(super) size: usize,
    /// Bytes from the start of the strided buffer to the first run.
    pub(super) offset: usize,
    /// The length of every run in bytes. INVARIANT: not 0.
    pub(super) run: usize,
    /// The number of runs per row, and the distance in bytes from one run to the next.
    pub(super) row: Dim,
    /// The axes to repeat the row over, with strides in elements.
    pub(super) outer: &'a [Dim],
    /// The number of bytes in the strided buffer.
    pub(super) strided: usize,
    /// The number of bytes in the dense buffer.
    pub(super) dense: usize,
    /// Whether the elements are plain: all of their bytes are numbers.
    pub(super) plain: bool,
    /// The richest instruction set that may be used. Only tests and benchmarks set it.
    pub(super) limit: Option<InstructionSet>,
}

impl<'a> Job<'a> {
    /// Returns the job for elements of type `T`, or `None` if there is nothing to copy, because no element is selected
    /// or the elements have size zero.
    ///
    /// Arithmetic cannot overflow, because buffers of the plan's lengths exist.
    #[inline]
    pub(super) fn new<T>(plan: &'a GatherPlan) -> Option<Self> {
        Self::of_bytes(plan, size_of::<T>(), is_plain::<T>())
    }

    /// Returns the job for elements of `size` bytes, or `None` if there is nothing to copy.
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

    /// Returns `true` if the runs of a row follow each other without gaps.
    #[inline(always)]
    pub(super) fn is_contiguous(&self) -> bool {
        self.row.stride == self.run as isize
    }

    /// Returns a cursor at the first run.
    #[inline(always)]
    pub(super) fn cursor(&self) -> BlockCursor<'a> {
        BlockCursor::new(self.offset, self.outer, self.size, self.row)
    }
}
