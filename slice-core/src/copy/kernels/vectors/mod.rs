//! Kernels that copy with vector instructions, and the choice among these kernels. The kernels are written once for all
//! instruction sets with vectors. See [`kernels`](super) and [`table`] for the terminology.

// Other architectures use none of this code.
#![cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    allow(dead_code)
)]

pub(super) mod prefetch_offsets;
pub(super) mod rows;
pub(super) mod shuffle;
pub(in crate::copy) mod stream;
mod table;
mod tile;
pub(super) mod vector;

use super::super::cursor::BlockCursor;
use super::super::job::{Byte, Job};
use super::buffers::Buffers;
use super::direction::Direction;
use super::prefetch::CACHE_LINE_BYTES;
use super::strides;
use prefetch_offsets::SECOND_LEVEL_CACHE_BYTES;
use shuffle::Lanes;
use table::{CellRows, MAX_STEP_BYTES, MAX_WINDOW_BYTES, MIN_LONG_ROW_CELLS, moves_per_run};
use vector::Shape;

/// [`rows::copy`], compiled for an instruction set. The `bool` is true if the output is to be streamed.
type CopyRows = unsafe fn(&Lanes, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel for rows of contiguous bytes. The `bool` is true if the output is to be streamed.
type CopyRuns = unsafe fn(&Job<'_>, bool, &mut BlockCursor<'_>, Buffers);
/// A kernel that copies one of the runs selected by a list. The arguments are the source, the destination and the
/// length of the run, the start of a later run to prefetch, and whether the input is larger than all caches.
type CopyListed = unsafe fn(*const Byte, *mut Byte, usize, *const Byte, bool);
/// [`strides::copy`], compiled for an instruction set.
type CopyStrides = unsafe fn(&Job<'_>, &mut BlockCursor<'_>, Buffers);

/// The minimum length, in bytes, of the runs that a [`CopyListed`] kernel copies.
pub(super) const MIN_LISTED_RUN_BYTES: usize = 2 * CACHE_LINE_BYTES;

/// The vector kernels of an instruction set. A field is `None` if there is no such kernel for the set.
pub(super) struct VectorKernels {
    pub(super) shuffles: Option<Shuffles>,
    /// Copies rows of contiguous bytes.
    pub(super) runs: Option<CopyRuns>,
    /// Copies one of the runs selected by a list. The run must have at least [`MIN_LISTED_RUN_BYTES`] bytes.
    pub(super) listed: Option<CopyListed>,
    /// [`strides::copy`], compiled for this set.
    pub(super) strides: Option<CopyStrides>,
    /// Whether streaming stores are faster than ordinary stores for outputs that do not fit in the caches.
    pub(super) streams: bool,
    /// Whether streaming stores are also faster than [`strides`] for a single row that [`strides`] supports.
    pub(super) streams_single_rows: bool,
    /// Returns `true` if [`strides`] supports the runs of a job, and copies them faster than shuffles if the output
    /// fits in the caches.
    pub(super) prefers_strides: fn(&Job<'_>) -> bool,
    /// The shuffles with which long rows are scattered to buffers that do not fit in the second-level cache. They
    /// belong to an included set. The value is `None` if the shuffles of this set are faster.
    pub(super) when_scattering_far: Option<Shuffles>,
    /// A function that returns `true` if the current processor moves the vectors of this set in two halves, and the
    /// shuffles of an included set with narrower vectors. On such a processor, the narrower shuffles gather
    /// [some cells](CellRows::prefer_narrow_vectors) faster than the shuffles of this set.
    pub(super) when_halved: Option<(fn() -> bool, Shuffles)>,
}

/// The shuffle kernels of a vector type.
#[derive(Clone, Copy)]
pub(super) struct Shuffles {
    pub(super) shape: Shape,
    /// The kernels for one, two, three and four loads per output vector.
    pub(super) rows: [CopyRows; 4],
}

impl VectorKernels {
    /// The value for an instruction set without vector kernels.
    pub(super) const NONE: Self = Self {
        shuffles: None,
        runs: None,
        listed: None,
        strides: None,
        streams: false,
        streams_single_rows: true,
        prefers_strides: strides::supports,
        when_scattering_far: None,
        when_halved: None,
    };
}

/// A vector kernel that has been chosen for a job.
pub(super) struct VectorKernel {
    pattern: Pattern,
    /// Whether the output is streamed.
    streams: bool,
}

/// A kernel for a pattern of runs. INVARIANT: the current processor supports the instructions for which the function is
/// compiled.
#[expect(
    clippy::large_enum_variant,
    reason = "a copy holds only one value of this type, on the stack"
)]
enum Pattern {
    Runs(CopyRuns),
    Strides(CopyStrides),
    Shuffle(Lanes, CopyRows),
}

impl VectorKernel {
    /// Returns a vector kernel and the cells that it copies, or `None` if no vector kernel can copy the runs of `job`
    /// faster than the other kernels. `kernels` must be kernels for the current processor. `output_is_far` is true if
    /// the output is too large for the caches. `gaps_accessible` is true if the gaps between runs may be accessed.
    #[inline(always)]
    pub(super) fn new<'a, D: Direction>(
        job: Job<'a>,
        kernels: &'static VectorKernels,
        output_is_far: bool,
        gaps_accessible: bool,
    ) -> Option<(Self, Job<'a>)> {
        let kernel = |pattern, streams| Self { pattern, streams };
        if job.is_contiguous()
            && job.plain
            && let Some(runs) = kernels.runs
        {
            return Some((kernel(Pattern::Runs(runs), output_is_far), job));
        }
        let mut shuffles = kernels.shuffles.as_ref()?;
        if job.is_contiguous() || job.run >= MAX_STEP_BYTES {
            return None;
        }
        // The window of each step would contain a single run, and a run of this length can be copied in one move. This
        // early return saves 20 of the 600 ns that copying a column of 1024 numbers takes.
        if moves_per_run(job.run) == 1
            && job.row.stride.unsigned_abs() >= MAX_WINDOW_BYTES
            && job.row.len > 1
        {
            return None;
        }
        let cells = CellRows::new(job);
        // If cells make up less than a quarter of the bytes that are read, reading takes most of the time, so ordinary
        // stores are as fast as streaming stores.
        let reads_mostly_gaps =
            4 * cells.rows.run < cells.rows.row.stride.unsigned_abs().min(CACHE_LINE_BYTES);
        let streams = output_is_far && !reads_mostly_gaps && !D::SCATTERS && kernels.streams;
        let may_use_strides = !D::SCATTERS && gaps_accessible && cells.are_runs();
        let prefers_strides = may_use_strides && (kernels.prefers_strides)(&job);
        let streams =
            streams && (kernels.streams_single_rows || !prefers_strides || !job.outer.is_empty());
        if job.plain && (streams || !prefers_strides) {
            // In rows that take only a few steps, the shuffles of `when_scattering_far` would often read bytes that the
            // previous step has just written, and would take even longer than the shuffles of the set itself.
            if D::SCATTERS
                && (output_is_far || job.strided > SECOND_LEVEL_CACHE_BYTES)
                && cells.rows.row.len >= MIN_LONG_ROW_CELLS
                && let Some(far_shuffles) = &kernels.when_scattering_far
            {
                shuffles = far_shuffles;
            }
            // The narrow vectors have no masks to skip gaps, so the gaps must be accessible.
            if !D::SCATTERS
                && gaps_accessible
                && let Some((halves, narrow)) = &kernels.when_halved
                && cells.prefer_narrow_vectors(streams)
                && halves()
            {
                shuffles = narrow;
            }
            if let Some(lanes) = Lanes::new::<D>(&cells, shuffles.shape, gaps_accessible) {
                let copy = shuffles.rows[(lanes.loads - 1).min(3)];
                return Some((kernel(Pattern::Shuffle(lanes, copy), streams), cells.rows));
            }
        }
        match kernels.strides {
            Some(copy) if may_use_strides && strides::supports(&job) => {
                Some((kernel(Pattern::Strides(copy), false), job))
            }
            _ => None,
        }
    }

    /// Copies the cells that `cursor` returns next, `buffers.total` bytes in all.
    ///
    /// # Safety
    ///
    /// * `cursor` must return the cells that [`new`](Self::new) returned with the kernel, at offsets from
    ///   `buffers.strided`. The cells must be readable or, in a scatter, writable.
    /// * The `buffers.accessible_len` bytes starting at `buffers.strided` must be readable and, in a scatter, writable.
    ///   If the kernel may access gaps, `buffers.accessible_len` must not be 0.
    /// * The `buffers.len` bytes starting at `buffers.dense` must be writable or, in a scatter, readable. The two
    ///   buffers must not overlap.
    pub(super) unsafe fn copy(
        &self,
        cells: &Job<'_>,
        cursor: &mut BlockCursor<'_>,
        buffers: Buffers,
    ) {
        match &self.pattern {
            // SAFETY: `new` chooses this kernel only for contiguous rows of bytes. By the invariant of `Pattern`, the
            // processor supports the instructions. The caller guarantees the rest.
            Pattern::Runs(copy) => unsafe { copy(cells, self.streams, cursor, buffers) },
            // SAFETY: by the invariant of `Pattern`, the processor supports the instructions. `new` chooses this kernel
            // only for gathers from buffers whose gaps may be accessed, so the caller guarantees that the
            // `accessible_len` bytes can be read.
            Pattern::Strides(copy) => unsafe { copy(cells, cursor, buffers) },
            // SAFETY: by the invariant of `Pattern`, the processor supports the instructions. `new` chose the function
            // for the vector shape and the number of loads of `lanes`. The caller guarantees the rest.
            Pattern::Shuffle(lanes, copy) => unsafe { copy(lanes, self.streams, cursor, buffers) },
        }
    }
}
