//! Kernels that move vectors, written once for all instruction sets with vectors.

// Other architectures use none of this code.
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
use super::super::job::{Byte, Job};
use super::buffers::Buffers;
use super::direction::Direction;
use super::strides;
use prefetch_offsets::SECOND_LEVEL_CACHE_BYTES;
use shuffle::Lanes;
use table::{CellRows, MAX_STEP_BYTES, MAX_WINDOW_BYTES, MIN_LONG_ROW_CELLS, moves_per_run};
use vector::{CACHE_LINE_BYTES, Shape};

/// A version of [`rows::copy`] that is compiled for an instruction set.
type CopyRows = unsafe fn(&Lanes, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel for runs of bytes. The flag is true to write past the caches.
type CopyRuns = unsafe fn(&Job<'_>, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel for a run of a list. The arguments are the source, the destination and the length of the run, the start of
/// the next run, and whether the runs are beyond all caches.
type CopyListed = unsafe fn(*const Byte, *mut Byte, usize, *const Byte, bool);
/// A version of [`strides::copy`] that is compiled for an instruction set.
type CopyStrides = unsafe fn(&Job<'_>, &mut BlockCursor<'_>, Buffers);

/// The minimum length of a run of a list that is copied in vectors, in bytes.
pub(super) const MIN_LISTED_RUN_BYTES: usize = 2 * CACHE_LINE_BYTES;

/// The kernels of an instruction set.
pub(super) struct VectorKernels {
    pub(super) shuffles: Option<Shuffles>,
    /// Copies rows of contiguous bytes.
    pub(super) runs: Option<CopyRuns>,
    /// Copies one run of a list. The run must have at least [`MIN_LISTED_RUN_BYTES`] bytes.
    pub(super) listed: Option<CopyListed>,
    /// The version of [`strides::copy`] that is compiled for this set.
    pub(super) strides: Option<CopyStrides>,
    /// Whether streaming stores are faster for outputs beyond the caches.
    pub(super) streams: bool,
    /// Whether streaming stores are also faster for a single row that [`strides`] could copy.
    pub(super) streams_single_rows: bool,
    /// Returns `true` if [`strides`] supports these runs and is faster than shuffles within the caches.
    pub(super) prefers_strides: fn(&Job<'_>) -> bool,
    /// Shuffles of a poorer set, which scatter long rows faster beyond the second-level cache.
    pub(super) when_scattering_far: Option<Shuffles>,
    /// A function that returns `true` if the running processor moves the vectors of this set in two halves, and the
    /// shuffles of a poorer set, which then gather some [cells](CellRows::prefer_narrow_vectors) faster.
    pub(super) when_halved: Option<(fn() -> bool, Shuffles)>,
}

/// The shuffle kernels of a vector type.
#[derive(Clone, Copy)]
pub(super) struct Shuffles {
    pub(super) shape: Shape,
    /// Kernels for one to four loads.
    pub(super) rows: [CopyRows; 4],
}

impl VectorKernels {
    /// The kernels of a set without vectors.
    pub(super) const NONE: Self = Self {
        shuffles: None,
        runs: None,
        listed: None,
        strides: None,
        streams: false,
        streams_single_rows: true,
        prefers_strides: strides::fits,
        when_scattering_far: None,
        when_halved: None,
    };
}

/// A kernel, and whether it writes past the caches.
pub(super) struct VectorKernel {
    pattern: Pattern,
    /// Whether the output is written past the caches.
    streams: bool,
}

/// INVARIANT: the running processor has the instructions of the functions.
#[expect(
    clippy::large_enum_variant,
    reason = "each copy holds only one, on the stack"
)]
enum Pattern {
    Runs(CopyRuns),
    Strides(CopyStrides),
    Shuffle(Lanes, CopyRows),
}

impl VectorKernel {
    /// Returns the kernel and the cells that it copies, or `None` if no vector kernel is faster. `kernels` must be the
    /// kernels of the running processor. `far` is true if the output is too large for the caches. `whole` is true if
    /// the gaps between runs may be accessed.
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
        // A window would hold a single run, which one move copies. This shortcut saves 20 of the 600 ns that a column
        // of 1024 numbers takes.
        if moves_per_run(job.run) == 1
            && job.row.stride.unsigned_abs() >= MAX_WINDOW_BYTES
            && job.row.len > 1
        {
            return None;
        }
        let cells = CellRows::new(job);
        // If each cell needs its own cache line and uses less than a quarter of the line, reading takes most of the
        // time, and ordinary stores are as fast.
        let sparse =
            4 * cells.rows.run < cells.rows.row.stride.unsigned_abs().min(CACHE_LINE_BYTES);
        let streams = far && !sparse && !D::SCATTERS && kernels.streams;
        let strides = !D::SCATTERS && whole && cells.are_runs();
        let loops = strides && (kernels.prefers_strides)(&job);
        let streams = streams && (kernels.streams_single_rows || !loops || !job.outer.is_empty());
        if job.plain && (streams || !loops) {
            // In a row of few steps, the poorer set would read back bytes that it has just written, and take even
            // longer.
            if D::SCATTERS
                && (far || job.strided > SECOND_LEVEL_CACHE_BYTES)
                && cells.rows.row.len >= MIN_LONG_ROW_CELLS
                && let Some(poorer) = &kernels.when_scattering_far
            {
                shuffles = poorer;
            }
            // Narrow vectors cannot skip the gaps, so the gaps must be accessible.
            if !D::SCATTERS
                && whole
                && let Some((halves, narrow)) = &kernels.when_halved
                && cells.prefer_narrow_vectors(streams)
                && halves()
            {
                shuffles = narrow;
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

    /// Copies the next cells.
    ///
    /// # Safety
    ///
    /// * `cursor` returns the cells that [`new`](Self::new) returned with the kernel, with offsets from `strided`. The
    ///   cells can be read or, in a scatter, written.
    /// * All `whole` bytes can be read or written as well. `whole` is not 0 if the kernel may access gaps.
    /// * The bytes of `dense` can be written or, in a scatter, read. The two buffers do not overlap.
    pub(super) unsafe fn copy(
        &self,
        cells: &Job<'_>,
        cursor: &mut BlockCursor<'_>,
        buffers: Buffers,
    ) {
        match &self.pattern {
            // SAFETY: the cells are contiguous bytes, and the processor has the instruction set.
            Pattern::Runs(copy) => unsafe { copy(cells, self.streams, cursor, buffers) },
            // SAFETY: the processor has the instruction set. This kernel gathers, from a buffer that may be read as a
            // whole.
            Pattern::Strides(copy) => unsafe { copy(cells, cursor, buffers) },
            // SAFETY: the processor has the instruction set, and the function is for this number of loads.
            Pattern::Shuffle(lanes, copy) => unsafe { copy(lanes, self.streams, cursor, buffers) },
        }
    }
}
