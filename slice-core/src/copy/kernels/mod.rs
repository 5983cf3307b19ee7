//! Choosing a kernel, once per copy and outside all loops.
//!
//! A [job](super::job) is rows of runs at a constant distance. What is best for it depends on that pattern, on the
//! instruction set, on whether its elements are [plain](super::plain), and on whether what lies between the runs may be
//! touched:
//!
//! | pattern | kernel | why |
//! |---|---|---|
//! | long runs, or runs one after the other | `arch::x86_64::runs` | rows of bytes, in the widest vectors, aligned where they are written |
//! | every second, third or fourth element, or all backwards, within the caches | [`strides`] | the compiler makes the best vectors of it |
//! | cells close together: reversed rows, parts of pixels and records, short rows | [`vectors::shuffle`] | one shuffle moves up to 64 bytes |
//! | anything else: columns, short runs far apart, other processors, tiny outputs | [`moves`] | one or two moves for each run |
//!
//! Vectors are integers to the compiler, so only plain elements move in them: others may have padding, which is no
//! integer, or pointers, which an integer forgets. The same kernels copy in both directions. Those that touch what lies
//! between the runs do so only in buffers that the caller may read and write as a whole: in a view it may belong to
//! somebody else.

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
use super::isa::InstructionSet;
use super::job::{Byte, Job};
use super::new_memory;
use buffers::Buffers;
use direction::{Direction, Gather, Scatter};

/// Up to this many bytes of output, finding a better kernel costs more than it saves.
const MAX_TINY_OUTPUT_BYTES: usize = 512;

/// What an output is to the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Within them, or it had better be.
    Cached,
    /// So large that it is written past them.
    Far,
    /// As large, and nobody has touched it: the system zeroes it page by page as it is written, so that it is in the caches by
    /// then.
    Untouched,
}

impl Output {
    /// That of `len` bytes from `start` on.
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

/// Returns the richest set that the running processor has, for tests and measurements.
#[cfg(any(test, feature = "__bench"))]
#[must_use]
pub fn instruction_set() -> InstructionSet {
    arch::detect(None)
}

/// Outputs of at least so many bytes are written past the caches. Tests are to be quick, and the same on every machine.
fn min_streamed_bytes() -> usize {
    if cfg!(test) {
        512 << 10
    } else {
        arch::last_level_cache() / 2
    }
}

/// Copies the runs of `job` in `src` to `dst`, one after the other.
pub(super) fn gather(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    gather_output(job, src, dst, Output::of(dst.as_ptr(), dst.len()));
}

/// [`gather`], where `dst` is such an output.
#[inline(always)]
pub(super) fn gather_output(job: Job<'_>, src: &[Byte], dst: &mut [Byte], output: Output) {
    assert!(
        job.strided <= src.len() && job.dense == dst.len(),
        "the buffers are those of the job"
    );
    let choice = Choice::new::<Gather>(job, output, true);
    fill(&choice, dst, |cursor, dst| {
        let buffers = Buffers::filled(src.as_ptr(), src.len(), dst);
        // SAFETY: the cursor walks the choice's cells, which are those of a job whose runs lie in `src`; `dst` is borrowed
        // mutably, so it does not overlap `src`.
        unsafe { choice.copy::<Gather>(cursor, buffers) }
    });
}

/// Fills `dst` with cells by calls of `copy`, on several threads if there is much of it.
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

/// Copies the runs of `job`, counted from `strided`, to `dst`, without touching what lies between them.
///
/// # Safety
///
/// * The runs can be read, and do not overlap `dst`.
pub(super) unsafe fn gather_exact(job: Job<'_>, strided: *const Byte, dst: &mut [Byte]) {
    assert!(job.dense == dst.len(), "the buffer is that of the job");
    let buffers = Buffers::filled(strided, 0, dst);
    // SAFETY: the caller lets the runs be read, and as many bytes can be written to `dst`.
    unsafe { copy::<Gather>(job, buffers) }
}

/// Copies the runs in `src`, one after the other, to those of `job` in `dst`; what lies between them keeps its value.
pub(super) fn scatter(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    assert!(
        job.strided <= dst.len() && job.dense == src.len(),
        "the buffers are those of the job"
    );
    if job.outer.is_empty() && job.is_contiguous() {
        // A single run: then it is a gather as well, which may use several threads.
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
    // SAFETY: the runs of the job lie in `dst`, which is borrowed mutably, and so does all else that is touched.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// The same, where the runs are counted from `strided`, nothing else is touched, and those in `src`, or as many of them
/// as are whole cells, are repeated as often as it takes.
///
/// Of two products of lengths of the last few axes, one divides the other: runs that are the same for each position of
/// the first few axes remain so, if `src` is a whole number of them.
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
    // SAFETY: the caller lets the runs be written, and the bytes of `src` can be read.
    unsafe { copy::<Scatter>(job, buffers) };
}

/// # Safety
///
/// * The runs of the job, counted from `strided`, can be read or, to scatter, written; and so can all that is `whole`.
/// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
unsafe fn copy<D: Direction>(job: Job<'_>, mut buffers: Buffers) {
    let output = match D::SCATTERS {
        true if job.dense >= min_streamed_bytes() => Output::Far,
        true => Output::Cached,
        false => Output::of(buffers.dense, buffers.len),
    };
    let choice = Choice::new::<D>(job, output, buffers.whole > 0);
    buffers.len = buffers.len / choice.cells.run * choice.cells.run;
    // SAFETY: these are all of its cells.
    unsafe { choice.copy::<D>(&mut choice.cells.cursor(), buffers) };
}

/// The kernel for a job, and what it copies.
struct Choice<'a> {
    kernel: Kernel,
    /// The job, with cells for runs, between the bytes of which there may be gaps.
    cells: Job<'a>,
    /// The most bytes of output to be copied at once.
    part: usize,
}

/// Calls of `memcpy` for so many bytes are made as if the other side were in the caches.
const MEMCPY_PART_BYTES: usize = 256 << 10;

#[expect(
    clippy::large_enum_variant,
    reason = "there is one per copy, on the stack"
)]
enum Kernel {
    Moves,
    Strides {
        /// As [`strides::copy`] says.
        widens: bool,
    },
    Vectors(vectors::VectorKernel),
}

impl<'a> Choice<'a> {
    /// The best for a job and an output; to scatter, the output is the strided buffer. `whole` if what lies between the
    /// runs may be touched.
    #[inline(always)]
    fn new<D: Direction>(job: Job<'a>, output: Output, whole: bool) -> Self {
        let choice = |kernel, cells| Self {
            kernel,
            cells,
            part: usize::MAX,
        };
        // Measured on Zen 5, 256 MiB of rows: 24 ms, and 27 with vectors. `memcpy` writes lines without reading them.
        if output == Output::Untouched && job.is_contiguous() {
            let part = MEMCPY_PART_BYTES / job.run * job.run;
            return Self {
                part,
                ..choice(Kernel::Moves, job)
            };
        }
        let isa = arch::detect(job.limit);
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

    /// Copies the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks the cells of the choice, which, counted from `strided`, can be read or, to scatter, written.
    /// * So can all that is `whole`, which is not 0 if the kernel was made for that.
    /// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
    #[inline(always)]
    unsafe fn copy<D: Direction>(&self, cursor: &mut BlockCursor<'_>, buffers: Buffers) {
        debug_assert!(buffers.len.is_multiple_of(self.cells.run));
        debug_assert!(buffers.total.is_multiple_of(self.cells.run));
        match &self.kernel {
            // SAFETY: cursor and buffers are those that the caller vouches for, and the kernel is for these cells.
            Kernel::Vectors(kernel) => unsafe { kernel.copy(&self.cells, cursor, buffers) },
            // SAFETY: this kernel is for gathers of buffers that may be read whole.
            &Kernel::Strides { widens } => unsafe {
                strides::copy(&self.cells, widens, cursor, buffers)
            },
            // SAFETY: these are the runs that come next.
            Kernel::Moves => unsafe { moves::copy::<D>(&self.cells, cursor, buffers) },
        }
    }
}
