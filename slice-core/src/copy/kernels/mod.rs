//! Chooses a kernel, once per copy and outside all loops.
//!
//! A [job](super::job) consists of rows of runs at a constant distance. The best kernel depends on this pattern, on the
//! instruction set, on whether the elements are [plain](super::plain), and on whether the gaps between runs may be
//! accessed:
//!
//! | pattern | kernel | why |
//! |---|---|---|
//! | long runs, or runs one after the other | `arch::x86_64::runs` | copies rows of bytes in the widest vectors, with aligned stores |
//! | every second, third or fourth element, or all in reverse, within the caches | [`strides`] | the compiler vectorises it best |
//! | cells close together: reversed rows, parts of pixels and records, short rows | [`vectors::shuffle`] | one shuffle moves up to 64 bytes |
//! | anything else: columns, short runs far apart, other processors, tiny outputs | [`moves`] | one or two moves per run |
//!
//! The compiler sees vectors as integers, so only plain elements are moved in vectors. Other elements may have padding,
//! which is not an integer, or pointers, whose provenance is lost in an integer. All kernels except [`strides`] copy in
//! both directions. A kernel accesses the gaps between runs only in buffers that the caller may read and write as a
//! whole. The gaps of a view may be borrowed elsewhere.

#![expect(unsafe_code)]

mod arch;
mod buffers;
mod direction;
mod moves;
#[cfg(feature = "rayon")]
mod parallel;
mod prefetch;
mod strides;
mod vectors;

use super::cursor::BlockCursor;
use super::job::{Byte, Job};
use super::new_memory;
use super::tuning::MIN_STREAMED_EIGHTHS;
use crate::processor::isa::InstructionSet;
use crate::processor::{detect, last_level_cache};
use buffers::Buffers;
use direction::{Direction, Gather, Scatter};
use vectors::MIN_LISTED_RUN_BYTES;
use vectors::prefetch_offsets::SECOND_LEVEL_CACHE_BYTES;

/// The maximum size of an output that is copied without vectors, in bytes. For such a small output, choosing a vector
/// kernel costs more than it saves.
const MAX_TINY_OUTPUT_BYTES: usize = 512;

/// The place of an output in the memory hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Small enough for the caches.
    Cached,
    /// Too large for the caches, so it is written past them.
    Far,
    /// Too large for the caches and not yet written. The system zeroes each page when it is first written, which brings
    /// the page into the caches.
    Untouched,
}

impl Output {
    /// Classifies the output of `len` bytes at `start`.
    fn of(start: *const Byte, len: usize) -> Self {
        if len < min_streamed_bytes() {
            Self::Cached
        } else if new_memory::is_untouched(start, len) {
            Self::Untouched
        } else {
            Self::Far
        }
    }
}

/// Returns the size of the smallest output that is written past the caches, in bytes. Tests use a small constant, so
/// that they are fast and run the same kernels on every machine.
fn min_streamed_bytes() -> usize {
    if cfg!(test) {
        512 << 10
    } else {
        last_level_cache() / 8 * MIN_STREAMED_EIGHTHS.get()
    }
}

/// Copies the runs of `job` in `src` to `dst`, contiguously.
pub(super) fn gather(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    gather_output(job, src, dst, Output::of(dst.as_ptr(), dst.len()));
}

/// Gathers as [`gather`] does, into an output that has already been classified.
#[inline(always)]
pub(super) fn gather_output(job: Job<'_>, src: &[Byte], dst: &mut [Byte], output: Output) {
    assert!(
        job.strided <= src.len() && job.dense == dst.len(),
        "the buffers have the job's lengths"
    );
    let choice = Choice::new::<Gather>(job, output, true);
    fill(&choice, dst, |cursor, dst| {
        let buffers = Buffers::filled(src.as_ptr(), src.len(), dst);
        // SAFETY: the cursor returns the cells of the choice, which consist of the job's runs. The runs are in `src`.
        // `dst` is borrowed mutably, so it does not overlap `src`.
        unsafe { choice.copy::<Gather>(cursor, buffers) }
    });
}

/// Fills `dst` with cells by calling `copy`, on several threads if `dst` is large.
#[inline(always)]
fn fill(
    choice: &Choice<'_>,
    dst: &mut [Byte],
    copy: impl Fn(&mut BlockCursor<'_>, &mut [Byte]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if parallel::pays(dst.len()) {
        return parallel::fill(&choice.cells, dst, copy);
    }
    let mut cursor = choice.cells.cursor();
    for part in dst.chunks_mut(choice.part) {
        copy(&mut cursor, part);
    }
}

/// Copies the runs of `job` to `dst`, without accessing the gaps between them. The offsets of the runs are counted from
/// `strided`.
///
/// # Safety
///
/// * The runs can be read, and do not overlap `dst`.
pub(super) unsafe fn gather_exact(job: Job<'_>, strided: *const Byte, dst: &mut [Byte]) {
    assert!(job.dense == dst.len(), "the buffer has the job's length");
    let buffers = Buffers::filled(strided, 0, dst);
    // SAFETY: the caller guarantees that the runs can be read. `dst` has room for them.
    unsafe { copy::<Gather>(job, buffers) }
}

/// Copies the runs of `run` bytes at `places` to `dst`, one after the other. `plain` is true if the runs may be moved
/// in vectors.
///
/// The processor prefetches within a run, but cannot predict the next place. From the last-level cache and from memory,
/// rows of 4 KiB are copied fastest by vectors that prefetch a line of the next run with each line of the current run.
#[inline(always)]
pub(super) fn gather_listed(
    src: &[Byte],
    run: usize,
    plain: bool,
    places: impl Iterator<Item = usize> + Clone,
    dst: &mut [Byte],
) {
    let to = dst.chunks_exact_mut(run);
    // Tests use small constants, as for streamed outputs.
    let (near, all_caches) = match cfg!(test) {
        true => (1 << 10, 8 << 10),
        false => (SECOND_LEVEL_CACHE_BYTES, last_level_cache()),
    };
    if plain
        && run >= MIN_LISTED_RUN_BYTES
        && src.len() > near
        && let Some(kernels) = arch::kernels::<Gather>(detect(None))
        && let Some(copy) = kernels.listed
    {
        let far = src.len() > all_caches;
        let mut next = places.clone().skip((LISTED_AHEAD_BYTES / run).max(1));
        for (to, place) in to.zip(places) {
            let (from, to) = (src[place..][..run].as_ptr(), to.as_mut_ptr());
            let next = src.as_ptr().wrapping_add(next.next().unwrap_or(place));
            // SAFETY: both sides have the length of a run, which is long enough, and the kernel is for the running
            // processor.
            unsafe { copy(from, to, run, next, far) };
        }
    } else {
        for (to, place) in to.zip(places) {
            to.copy_from_slice(&src[place..][..run]);
        }
    }
}

/// The minimum distance to the run that is prefetched, in bytes of runs.
const LISTED_AHEAD_BYTES: usize = 4 << 10;

/// Copies the contiguous runs in `src` to the runs of `job` in `dst`. The gaps keep their values.
pub(super) fn scatter(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    assert!(
        job.strided <= dst.len() && job.dense == src.len(),
        "the buffers have the job's lengths"
    );
    if job.outer.is_empty() && job.is_contiguous() {
        // Copying a single run is also a gather, which may use several threads.
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
        whole: dst.len(),
        dense: src.as_ptr().cast_mut(),
        len: src.len(),
        total: src.len(),
    };
    // SAFETY: the runs of the job and the gaps between them are in `dst`, which is borrowed mutably.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// Copies the contiguous runs in `src` to the runs of `job`, without accessing the gaps between them. The offsets of
/// the runs are counted from `strided`. The whole cells in `src` are repeated until all runs are written.
///
/// A cell and the value to repeat both consist of all positions of some innermost axes, so the size of one divides the
/// size of the other. If `src` contains the value a whole number of times, each repetition begins with the value's
/// first run.
///
/// # Safety
///
/// * The runs can be written, and do not overlap `src`.
pub(super) unsafe fn scatter_exact(job: Job<'_>, src: &[Byte], strided: *mut Byte) {
    let buffers = Buffers {
        strided,
        whole: 0,
        dense: src.as_ptr().cast_mut(),
        len: src.len(),
        total: job.dense,
    };
    // SAFETY: the caller guarantees that the runs can be written. The bytes of `src` can be read.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// # Safety
///
/// * The runs of the job, with offsets from `strided`, and all `whole` bytes can be read or, in a scatter, written.
/// * The bytes of `dense` can be written or, in a scatter, read. The two buffers do not overlap.
unsafe fn copy<D: Direction>(job: Job<'_>, mut buffers: Buffers) {
    let output = match D::SCATTERS {
        true if job.dense >= min_streamed_bytes() => Output::Far,
        true => Output::Cached,
        false => Output::of(buffers.dense, buffers.len),
    };
    let choice = Choice::new::<D>(job, output, buffers.whole > 0);
    buffers.len = buffers.len / choice.cells.run * choice.cells.run;
    // SAFETY: the cursor returns all cells of the job, and the caller upholds the requirements for the buffers.
    unsafe { choice.copy::<D>(&mut choice.cells.cursor(), buffers) };
}

/// A kernel for a job, and the cells it copies.
struct Choice<'a> {
    kernel: Kernel,
    /// The job with cells in place of runs. A cell may have gaps between its bytes.
    cells: Job<'a>,
    /// The maximum number of output bytes per call of the kernel.
    part: usize,
}

/// The number of bytes per call of `memcpy`. It is small enough for `memcpy` to copy as if the destination were in the
/// caches.
const MEMCPY_PART_BYTES: usize = 256 << 10;

#[expect(
    clippy::large_enum_variant,
    reason = "each copy holds only one, on the stack"
)]
enum Kernel {
    Moves,
    Strides {
        /// See [`strides::copy`].
        widens: bool,
    },
    Vectors(vectors::VectorKernel),
}

impl<'a> Choice<'a> {
    /// Chooses the best kernel for a job and an output. In a scatter, the output is the strided buffer. `whole` is true
    /// if the gaps between runs may be accessed.
    #[inline(always)]
    fn new<D: Direction>(job: Job<'a>, output: Output, whole: bool) -> Self {
        let choice = |kernel, cells| Self {
            kernel,
            cells,
            part: usize::MAX,
        };
        // Measured on Zen 5: 256 MiB of rows take 24 ms with `memcpy`, which writes lines without reading them, and 27
        // ms with vectors.
        if output == Output::Untouched && job.is_contiguous() {
            let part = MEMCPY_PART_BYTES / job.run * job.run;
            return Self {
                part,
                ..choice(Kernel::Moves, job)
            };
        }
        let isa = detect(job.limit);
        if job.dense > MAX_TINY_OUTPUT_BYTES
            && let Some(kernels) = arch::kernels::<D>(isa)
            && let Some((kernel, cells)) =
                vectors::VectorKernel::new::<D>(job, kernels, output == Output::Far, whole)
        {
            return choice(Kernel::Vectors(kernel), cells);
        }
        match !D::SCATTERS && whole && strides::fits(&job) {
            true => {
                let widens = matches!(isa, InstructionSet::Baseline | InstructionSet::Ssse3);
                choice(Kernel::Strides { widens }, job)
            }
            false => choice(Kernel::Moves, job),
        }
    }

    /// Copies the next cells.
    ///
    /// # Safety
    ///
    /// * `cursor` returns the cells of the choice, with offsets from `strided`. The cells can be read or, in a scatter,
    ///   written.
    /// * All `whole` bytes can be read or written as well. `whole` is not 0 if the kernel may access gaps.
    /// * The bytes of `dense` can be written or, in a scatter, read. The two buffers do not overlap.
    #[inline(always)]
    unsafe fn copy<D: Direction>(&self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        debug_assert!(buffers.len.is_multiple_of(self.cells.run));
        debug_assert!(buffers.total.is_multiple_of(self.cells.run));
        match &self.kernel {
            // SAFETY: the caller upholds the requirements for the cursor and the buffers. The kernel is for these cells.
            Kernel::Vectors(kernel) => unsafe { kernel.copy(&self.cells, cursor, buffers) },
            // SAFETY: this kernel gathers, from a buffer that may be read as a whole.
            &Kernel::Strides { widens } => unsafe {
                strides::compiled(&self.cells, widens, cursor, buffers)
            },
            // SAFETY: these are the next runs.
            Kernel::Moves => unsafe { moves::copy::<D>(&self.cells, cursor, buffers) },
        }
    }
}
