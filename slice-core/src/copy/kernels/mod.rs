//! Chooses the kernel for a copy once, outside all loops, and runs it.
//!
//! A [job](super::job) describes a copy between two buffers: the *strided buffer*, from which elements are selected,
//! and the *dense buffer*, which contains the selected elements contiguously. A gather copies from the strided buffer
//! to the dense buffer, and a scatter copies in the opposite direction. A *run* consists of contiguous bytes, a *row*
//! consists of runs at a constant distance from each other, and a *block* consists of rows at a constant distance from
//! each other. A *cell* is what a kernel copies at once: one run, or a few runs.
//!
//! A *kernel* is a loop for one pattern of runs and one instruction set. The best kernel depends on this pattern, on
//! the instruction set, on whether the elements are [plain](super::plain), and on whether the gaps between runs may be
//! accessed:
//!
//! | pattern | kernel | reason |
//! |---|---|---|
//! | runs of more than 256 bytes, or a single run | `arch::x86_64::runs` | copies bytes with the widest vectors and with aligned stores |
//! | every second, third or fourth element, or all elements in reverse, if the output fits in the caches | [`strides`] | plain loops, which the compiler vectorizes, are the fastest |
//! | runs that are close together, such as reversed rows, parts of pixels, parts of records, and short rows | [`vectors::shuffle`] | one shuffle moves several runs, with up to 64 bytes in total |
//! | all others, such as columns and short runs that are far apart | [`moves`] | copies each run in one or two moves |
//!
//! Most copies with an output of at most [`MAX_TINY_OUTPUT_BYTES`] bytes, and most copies on processors without vector
//! kernels, also use [`moves`].
//!
//! The compiler treats vectors as integers, so only plain elements are moved in vectors. Other elements may contain
//! padding, which must not be read as an integer, or pointers, which would lose their provenance. All kernels except
//! [`strides`] copy in both directions. A kernel accesses the gaps between runs only if the caller may access the whole
//! buffer, because the elements in the gaps of a view may be borrowed elsewhere.

#![expect(unsafe_code)]

mod arch;
mod buffers;
mod direction;
mod moves;
#[cfg(feature = "rayon")]
mod parallel;
pub(super) mod prefetch;
mod strides;
pub(super) mod vectors;

use super::cursor::BlockCursor;
use super::job::{Byte, Job};
use super::new_memory;
use super::tuning::MIN_STREAMED_EIGHTHS;
use crate::processor::isa::InstructionSet;
use crate::processor::{detect, last_level_cache_bytes};
use buffers::Buffers;
use direction::{Direction, Gather, Scatter};
use vectors::MIN_LISTED_RUN_BYTES;
use vectors::prefetch_offsets::SECOND_LEVEL_CACHE_BYTES;

/// The size, in bytes, up to which an output is copied without a vector kernel. For such a small output, choosing a
/// vector kernel takes more time than the vector kernel would save.
pub(super) const MAX_TINY_OUTPUT_BYTES: usize = 512;

/// A classification of outputs, which determines whether an output is *streamed*, that is, written to memory without
/// filling the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Small enough for the caches.
    Cached,
    /// Too large for the caches, so a kernel may stream it.
    Far,
    /// Too large for the caches, and in memory that has never been written. The operating system zeroes each page on
    /// the first write to it, which brings the page into the caches, so the output is not streamed.
    Untouched,
}

impl Output {
    /// Classifies the output of `len` bytes at `start`.
    fn classify(start: *const Byte, len: usize) -> Self {
        if len < min_streamed_bytes() {
            Self::Cached
        } else if new_memory::is_untouched(start, len) {
            Self::Untouched
        } else {
            Self::Far
        }
    }
}

/// Returns the minimum size of a streamed output, in bytes. In tests, the size is a small constant, so that the tests
/// are fast and run the same kernels on every machine.
pub(super) fn min_streamed_bytes() -> usize {
    if cfg!(test) {
        512 << 10
    } else {
        last_level_cache_bytes() / 8 * MIN_STREAMED_EIGHTHS
    }
}

/// Copies the runs of `job` from `src` to `dst`, where they are contiguous.
pub(super) fn gather(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    gather_output(job, src, dst, Output::classify(dst.as_ptr(), dst.len()));
}

/// Gathers as [`gather`] does, into an output that has already been classified.
#[inline(always)]
pub(super) fn gather_output(job: Job<'_>, src: &[Byte], dst: &mut [Byte], output: Output) {
    assert!(
        job.strided <= src.len() && job.dense == dst.len(),
        "the lengths of the buffers must match the job"
    );
    let choice = Choice::new::<Gather>(job, output, true);
    copy_cells(&choice, dst, |cursor, dst| {
        let buffers = Buffers::of_gather(src.as_ptr(), src.len(), dst);
        // SAFETY: the cursor returns the cells of `choice`, which consist of the runs of `job`. By the invariant of
        // [`Job`], the runs are within the first `job.strided` bytes of `src`. `dst` is borrowed mutably, so it does
        // not overlap `src`.
        unsafe { choice.copy::<Gather>(cursor, buffers) }
    });
}

/// Fills `dst` with the cells of `choice`, by calling `copy` one or more times. With the feature `rayon`, several
/// threads fill a large `dst`.
#[inline(always)]
fn copy_cells(
    choice: &Choice<'_>,
    dst: &mut [Byte],
    copy: impl Fn(&mut BlockCursor<'_>, &mut [Byte]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if parallel::uses_threads(dst.len()) {
        return parallel::copy_parts(&choice.cells, dst, copy);
    }
    let mut cursor = choice.cells.cursor();
    for part in dst.chunks_mut(choice.max_call_bytes) {
        copy(&mut cursor, part);
    }
}

/// Copies the runs of `job` to `dst`, without accessing the gaps between the runs. The offsets of the runs are relative
/// to `strided`.
///
/// # Safety
///
/// * The bytes of the runs must be readable, and must not overlap `dst`.
pub(super) unsafe fn gather_exact(job: Job<'_>, strided: *const Byte, dst: &mut [Byte]) {
    assert!(
        job.dense == dst.len(),
        "the length of the output must match the job"
    );
    let buffers = Buffers::of_gather(strided, 0, dst);
    // SAFETY: the caller guarantees that the runs can be read and do not overlap `dst`. `dst` has `job.dense` bytes,
    // the total length of the runs.
    unsafe { copy::<Gather>(job, buffers) }
}

/// Copies the runs of `run` bytes at `offsets` in `src` to `dst`, where they are contiguous. `plain` is true if the
/// runs may be moved in vectors.
///
/// The processor prefetches within a run, but cannot predict where the next run begins. If runs of 4 KiB are in the
/// last-level cache or in memory, the fastest way to copy them is a loop over vectors that prefetches one line of a
/// later run for each line that it copies.
#[inline(always)]
pub(super) fn gather_listed(
    src: &[Byte],
    run: usize,
    plain: bool,
    offsets: impl Iterator<Item = usize> + Clone,
    dst: &mut [Byte],
) {
    let to = dst.chunks_exact_mut(run);
    // In tests, the sizes are small constants, for the same reasons as in `min_streamed_bytes`.
    let (second_level_cache, all_caches) = match cfg!(test) {
        true => (1 << 10, 8 << 10),
        false => (SECOND_LEVEL_CACHE_BYTES, last_level_cache_bytes()),
    };
    if plain
        && run >= MIN_LISTED_RUN_BYTES
        && src.len() > second_level_cache
        && let Some(kernels) = arch::kernels::<Gather>(detect(None))
        && let Some(copy) = kernels.listed
    {
        let input_exceeds_caches = src.len() > all_caches;
        let mut next = offsets
            .clone()
            .skip((LISTED_PREFETCH_DISTANCE_BYTES / run).max(1));
        for (to, offset) in to.zip(offsets) {
            let (from, to) = (src[offset..][..run].as_ptr(), to.as_mut_ptr());
            let next = src.as_ptr().wrapping_add(next.next().unwrap_or(offset));
            // SAFETY: `run` bytes can be read at `from` and written at `to`, and `run` is at least the minimum for this
            // kernel. The two runs do not overlap, because `dst` is borrowed mutably. The running processor supports
            // the instruction set of the kernel, because `detect` returned this set.
            unsafe { copy(from, to, run, next, input_exceeds_caches) };
        }
    } else {
        for (to, offset) in to.zip(offsets) {
            to.copy_from_slice(&src[offset..][..run]);
        }
    }
}

/// The prefetch distance for the runs selected by a list, in bytes of the output. It is rounded down to whole runs, but
/// is at least one run.
const LISTED_PREFETCH_DISTANCE_BYTES: usize = 4 << 10;

/// Copies the contiguous bytes of `src` to the runs of `job` in `dst`. The gaps between the runs keep their values.
pub(super) fn scatter(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    assert!(
        job.strided <= dst.len() && job.dense == src.len(),
        "the lengths of the buffers must match the job"
    );
    if job.outer.is_empty() && job.is_contiguous() {
        // A single run can also be copied by `gather`, which may use several threads.
        let (offset, strided) = (0, src.len());
        let run = &mut dst[job.offset..][..job.dense];
        return gather(
            Job {
                offset,
                strided,
                ..job
            },
            src,
            run,
        );
    }
    let buffers = Buffers {
        strided: dst.as_mut_ptr(),
        accessible_len: dst.len(),
        dense: src.as_ptr().cast_mut(),
        len: src.len(),
        total: src.len(),
    };
    // SAFETY: by the invariant of [`Job`], the runs and the gaps between them are within `dst`. `dst` is borrowed
    // mutably, so it can be written and does not overlap `src`.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// Copies the contiguous bytes of `src` to the runs of `job`, without accessing the gaps between the runs. The offsets
/// of the runs are relative to `strided`. If `src` is shorter than the total length of the runs, it is repeated, and an
/// incomplete cell at the end of `src` is left out.
///
/// `src` must contain a whole number of copies of a value, and the value must consist of one element for each position
/// on some innermost axes. A cell also covers all positions on some innermost axes. For example, the value may be a
/// plane and the cell one row of the plane, or the value one row and the cell a small plane of such rows. The size of
/// the value is therefore a multiple of the size of the cell, or vice versa. In both cases, each repetition of `src`
/// begins with the first run of the value.
///
/// # Safety
///
/// * The bytes of the runs must be writable, and must not overlap `src`.
pub(super) unsafe fn scatter_exact(job: Job<'_>, src: &[Byte], strided: *mut Byte) {
    let buffers = Buffers {
        strided,
        accessible_len: 0,
        dense: src.as_ptr().cast_mut(),
        len: src.len(),
        total: job.dense,
    };
    // SAFETY: the caller guarantees that the runs can be written and do not overlap `src`. The bytes of `src` can be
    // read.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// Copies the runs of a job between two buffers, in direction `D`.
///
/// # Safety
///
/// * The runs of the job, at offsets from `buffers.strided`, must be readable or, in a scatter, writable.
/// * The `buffers.accessible_len` bytes starting at `buffers.strided` must be readable and, in a scatter, writable.
/// * The `buffers.len` bytes starting at `buffers.dense` must be writable or, in a scatter, readable. The two buffers
///   must not overlap.
unsafe fn copy<D: Direction>(job: Job<'_>, mut buffers: Buffers) {
    let output = match D::SCATTERS {
        true if job.dense >= min_streamed_bytes() => Output::Far,
        true => Output::Cached,
        false => Output::classify(buffers.dense, buffers.len),
    };
    let choice = Choice::new::<D>(job, output, buffers.accessible_len > 0);
    buffers.len = buffers.len / choice.cells.run * choice.cells.run;
    // SAFETY: the cursor returns all cells of the job, and the caller upholds the requirements for the buffers.
    unsafe { choice.copy::<D>(&mut choice.cells.cursor(), buffers) };
}

/// A kernel for a job, and the cells that the kernel copies.
struct Choice<'a> {
    kernel: Kernel,
    /// The job, expressed in cells instead of runs. A cell may have gaps between its bytes.
    cells: Job<'a>,
    /// The maximum number of output bytes per call of the kernel.
    max_call_bytes: usize,
}

/// The maximum number of bytes per call to `memcpy`. It is small enough that `memcpy` does not stream.
const MAX_MEMCPY_BYTES: usize = 256 << 10;

#[expect(
    clippy::large_enum_variant,
    reason = "a copy holds only one value of this type, on the stack"
)]
enum Kernel {
    Moves,
    Strides {
        /// Whether single bytes may be loaded as wider integers. See [`strides::copy`].
        widens: bool,
    },
    Vectors(vectors::VectorKernel),
}

impl<'a> Choice<'a> {
    /// Chooses the best kernel for a job and an output. In a scatter, the output is the strided buffer.
    /// `gaps_accessible` is true if the gaps between runs may be accessed.
    #[inline(always)]
    fn new<D: Direction>(job: Job<'a>, output: Output, gaps_accessible: bool) -> Self {
        let choice = |kernel, cells| Self {
            kernel,
            cells,
            max_call_bytes: usize::MAX,
        };
        // `Kernel::Moves` copies contiguous rows with `memcpy`, which writes cache lines without reading them first. On
        // Zen 5, copying 256 MiB of rows takes 24 ms with `memcpy` and 27 ms with vectors.
        if output == Output::Untouched && job.is_contiguous() {
            let max_call_bytes = MAX_MEMCPY_BYTES / job.run * job.run;
            return Self {
                max_call_bytes,
                ..choice(Kernel::Moves, job)
            };
        }
        let isa = detect(job.limit);
        if job.dense > MAX_TINY_OUTPUT_BYTES
            && let Some(kernels) = arch::kernels::<D>(isa)
            && let Some((kernel, cells)) = vectors::VectorKernel::new::<D>(
                job,
                kernels,
                output == Output::Far,
                gaps_accessible,
            )
        {
            return choice(Kernel::Vectors(kernel), cells);
        }
        match !D::SCATTERS && gaps_accessible && strides::supports(&job) {
            true => {
                let widens = matches!(isa, InstructionSet::Baseline | InstructionSet::Ssse3);
                choice(Kernel::Strides { widens }, job)
            }
            false => choice(Kernel::Moves, job),
        }
    }

    /// Copies the cells that `cursor` returns next, `buffers.total` bytes in all.
    ///
    /// # Safety
    ///
    /// * `cursor` must return the cells of this choice, at offsets from `buffers.strided`. The cells must be readable
    ///   or, in a scatter, writable.
    /// * The `buffers.accessible_len` bytes starting at `buffers.strided` must be readable and, in a scatter, writable.
    ///   If the kernel may access gaps, `buffers.accessible_len` must not be 0.
    /// * The `buffers.len` bytes starting at `buffers.dense` must be writable or, in a scatter, readable. The two
    ///   buffers must not overlap.
    #[inline(always)]
    unsafe fn copy<D: Direction>(&self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        debug_assert!(buffers.len.is_multiple_of(self.cells.run));
        debug_assert!(buffers.total.is_multiple_of(self.cells.run));
        match &self.kernel {
            // SAFETY: `new` returned the kernel together with these cells, and the caller guarantees the rest.
            Kernel::Vectors(kernel) => unsafe { kernel.copy(&self.cells, cursor, buffers) },
            // SAFETY: `new` chooses this kernel only for gathers from buffers whose gaps may be accessed, so the caller
            // guarantees that the `accessible_len` bytes can be read. The bytes of plain elements are initialized.
            &Kernel::Strides { widens } => unsafe {
                strides::copy_baseline(&self.cells, widens, cursor, buffers)
            },
            // SAFETY: for this kernel, cells are runs, and the caller guarantees that the next cells can be accessed.
            Kernel::Moves => unsafe { moves::copy::<D>(&self.cells, cursor, buffers) },
        }
    }
}
