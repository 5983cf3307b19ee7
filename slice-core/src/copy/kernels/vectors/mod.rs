//! The kernels that move vectors, written once for all instruction sets that have them.

// Nothing of this is compiled into other processors' programs.
#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code)
)]

pub(super) mod prefetch_offsets;
pub(super) mod rows;
pub(super) mod shuffle;
mod table;
mod tile;
pub(super) mod vector;

use super::super::cursor::BlockCursor;
use super::super::job::Job;
use super::buffers::Buffers;
use super::direction::Direction;
use super::strides;
use prefetch_offsets::SECOND_LEVEL_CACHE_BYTES;
use shuffle::Lanes;
use table::{CellRows, MAX_STEP_BYTES, MIN_LONG_ROW_CELLS};
use vector::{CACHE_LINE_BYTES, Shape};

/// A kernel for rows of shuffles: as [`rows::copy`].
type CopyRows = unsafe fn(&Lanes, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel for runs of bytes; the flag says whether to write past the caches.
type CopyRuns = unsafe fn(&Job<'_>, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel for strides: as [`strides::copy`].
type CopyStrides = unsafe fn(&Job<'_>, &mut BlockCursor<'_>, Buffers);

/// The kernels of an instruction set.
pub(super) struct VectorKernels {
    pub(super) shuffles: Option<Shuffles>,
    /// Rows that are runs of bytes.
    pub(super) runs: Option<CopyRuns>,
    /// [`strides`], compiled for it.
    pub(super) strides: Option<CopyStrides>,
    /// Whether stores past the caches pay.
    pub(super) streams: bool,
    /// Whether they pay for a single row that [`strides`] could copy.
    pub(super) streams_single_rows: bool,
    /// Whether [`strides`] is for these runs and faster than shuffles, within the caches.
    pub(super) prefers_strides: fn(&Job<'_>) -> bool,
    /// The shuffles of a poorer set, where they are faster to scatter long rows beyond the second-level cache.
    pub(super) when_scattering_far: Option<Shuffles>,
}

/// Shuffles of a vector.
#[derive(Clone, Copy)]
pub(super) struct Shuffles {
    pub(super) shape: Shape,
    /// For one to four loads.
    pub(super) rows: [CopyRows; 4],
}

impl VectorKernels {
    /// The kernels of a set that has none.
    pub(super) const NONE: Self = Self {
        shuffles: None,
        runs: None,
        strides: None,
        streams: false,
        streams_single_rows: true,
        prefers_strides: strides::fits,
        when_scattering_far: None,
    };
}

/// A kernel, for processors that have the instruction set it was made for.
pub(super) struct VectorKernel {
    pattern: Pattern,
    /// Whether the output is written past the caches.
    streams: bool,
}

/// INVARIANT: the running processor has the instructions of the functions.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one per copy, on the stack"
)]
enum Pattern {
    Runs(CopyRuns),
    Strides(CopyStrides),
    Shuffle(Lanes, CopyRows),
}

impl VectorKernel {
    /// Returns the kernel, and the cells that it copies, if there is one that gains something; `far` if the output is beyond
    /// the caches, `whole` if what lies between the runs may be touched. `kernels` are those of the running processor.
    #[inline(always)]
    pub(super) fn new<'a, D: Direction>(
        job: Job<'a>,
        kernels: &'static VectorKernels,
        far: bool,
        whole: bool,
    ) -> Option<(Self, Job<'a>)> {
        let kernel = |pattern, streams| Self { pattern, streams };
        if job.is_contiguous()
            && job.plain
            && let Some(runs) = kernels.runs
        {
            return Some((kernel(Pattern::Runs(runs), far), job));
        }
        let mut shuffles = kernels.shuffles.as_ref()?;
        if job.is_contiguous() || job.run >= MAX_STEP_BYTES {
            return None;
        }
        let cells = CellRows::new(job);
        // Where far more is read than copied, at least four bytes for each, as whole cache lines are, ordinary stores
        // are as good.
        let sparse =
            4 * cells.rows.run < cells.rows.row.stride.unsigned_abs().min(CACHE_LINE_BYTES);
        let streams = far && !sparse && !D::SCATTERS && kernels.streams;
        let strides = !D::SCATTERS && whole && cells.are_runs();
        let loops = strides && (kernels.prefers_strides)(&job);
        let streams = streams && (kernels.streams_single_rows || !loops || !job.outer.is_empty());
        if job.plain && (streams || !loops) {
            // A row of few steps reads again what it has just written, which takes longer still.
            if D::SCATTERS
                && (far || job.strided > SECOND_LEVEL_CACHE_BYTES)
                && cells.rows.row.len >= MIN_LONG_ROW_CELLS
                && let Some(poorer) = &kernels.when_scattering_far
            {
                shuffles = poorer;
            }
            if let Some(lanes) = Lanes::new::<D>(&cells, shuffles.shape, whole) {
                let copy = shuffles.rows[(lanes.loads - 1).min(3)];
                return Some((kernel(Pattern::Shuffle(lanes, copy), streams), cells.rows));
            }
        }
        match kernels.strides {
            Some(copy) if strides && strides::fits(&job) => {
                Some((kernel(Pattern::Strides(copy), false), job))
            }
            _ => None,
        }
    }

    /// Copies the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks cells that came with the kernel, which, counted from `strided`, can be read or, to scatter,
    ///   written.
    /// * So can all that is `whole`, which is not 0 if the kernel was made for that.
    /// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
    pub(super) unsafe fn copy(
        &self,
        cells: &Job<'_>,
        cursor: &mut BlockCursor<'_>,
        buffers: Buffers,
    ) {
        match &self.pattern {
            // SAFETY: the cells are bytes of runs; the processor has the instruction set.
            Pattern::Runs(copy) => unsafe { copy(cells, self.streams, cursor, buffers) },
            // SAFETY: the processor has the instruction set, and a kernel like this is for gathers of what may be read whole.
            Pattern::Strides(copy) => unsafe { copy(cells, cursor, buffers) },
            // SAFETY: the function is for an instruction set that the processor has, and for this number of loads.
            Pattern::Shuffle(lanes, copy) => unsafe { copy(lanes, self.streams, cursor, buffers) },
        }
    }
}
