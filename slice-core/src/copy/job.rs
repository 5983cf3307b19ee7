//! A *job*: a plan converted to bytes, for elements of a given size. A job consists of rows of *runs*. A run is a
//! sequence of contiguous bytes, and the runs of a row are at a constant distance from each other.
//!
//! Bytes are copied as `MaybeUninit<u8>`, because elements may contain padding, and may have any size and alignment. An
//! innermost axis of stride 1 is part of the run: `[:, 1:3]` on an array of `f32` copies runs of 8 bytes.

use super::cursor::BlockCursor;
use super::plain::is_plain;
use super::plan::CopyPlan;
use crate::processor::isa::InstructionSet;
use crate::resolve::strided::StridedAxis;
use core::mem::MaybeUninit;

/// A byte of an element, which may be padding.
pub(super) type Byte = MaybeUninit<u8>;

/// The maximum length, in bytes, of a run that is copied as one *cell*, the unit that a [kernel](super::kernels) copies
/// at once. A longer run becomes a row of adjacent 1-byte runs, because the kernels copy such a row as a whole.
const MAX_RUN_BYTES: usize = 256;

/// A plan converted to bytes, for elements of `size` bytes. The job copies at least one byte.
///
/// INVARIANT: all runs, whose offsets follow from `offset`, `row` and `outer`, are within the `strided` bytes of the
/// strided buffer. The runs have `dense` bytes in total. For each axis of the plan, neither `stride * size` nor
/// `stride * size * len` overflows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Job<'a> {
    /// The size of an element in bytes, by which the strides of `outer` are multiplied.
    pub(super) size: usize,
    /// The offset of the first run in the strided buffer, in bytes.
    pub(super) offset: usize,
    /// The length of every run in bytes. INVARIANT: not 0.
    pub(super) run: usize,
    /// The number of runs per row, and the distance in bytes from one run to the next.
    pub(super) row: StridedAxis,
    /// The axes along which the row is repeated, with strides in elements.
    pub(super) outer: &'a [StridedAxis],
    /// The number of bytes in the strided buffer.
    pub(super) strided: usize,
    /// The number of bytes in the dense buffer.
    pub(super) dense: usize,
    /// Whether the elements are plain. Plain elements have no padding and no pointers, so they may be copied as
    /// integers.
    pub(super) plain: bool,
    /// The most capable instruction set that may be used, or `None` for no limit. Only tests and benchmarks set it.
    pub(super) limit: Option<InstructionSet>,
}

impl<'a> Job<'a> {
    /// Returns the job for elements of type `T`, or `None` if no element is selected or the elements are zero-sized.
    ///
    /// The sizes in bytes cannot overflow, because buffers with the lengths required by the plan exist.
    #[inline]
    pub(super) fn new<T>(plan: &'a CopyPlan) -> Option<Self> {
        Self::of_bytes(plan, size_of::<T>(), is_plain::<T>())
    }

    /// Returns the job for elements of `size` bytes, or `None` if no element is selected or `size` is 0.
    #[inline]
    pub(super) fn of_bytes(plan: &'a CopyPlan, size: usize, plain: bool) -> Option<Self> {
        if plan.len == 0 || size == 0 {
            return None;
        }
        let (mut axes, mut run) = (plan.axes.as_slice(), size);
        if let [outer @ .., StridedAxis { len, stride: 1 }] = axes {
            (axes, run) = (outer, len * size);
        }
        let (run, row, outer) = match axes.split_last() {
            Some((&row, outer)) if run <= MAX_RUN_BYTES => (run, row.scaled(size), outer),
            _ => (
                1,
                StridedAxis {
                    len: run,
                    stride: 1,
                },
                axes,
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

    /// Returns `true` if each run of a row begins where the previous run ends.
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
