//! Choosing a kernel, once per copy and outside all loops.
//!
//! A [job](super::job) has a *pattern*: rows of runs at a constant distance. What is best for it depends on the pattern,
//! on the instruction set, on whether its elements are [plain](super::plain), and on whether what lies between the runs
//! may be touched:
//!
//! | pattern | kernel | why |
//! |---|---|---|
//! | runs longer than [`MOST_RUN`], or one after the other | [`vectors::runs`] | rows of bytes, in the widest vectors, aligned where they are written |
//! | every second, third or fourth element, within the caches | [`strides`] | the compiler makes the best vectors of it |
//! | cells close together: reversed rows, parts of pixels and records, short rows | [`vectors::avx512`], [`vectors::lanes`] | one shuffle moves up to 64 bytes |
//! | anything else: columns, short runs far apart, other processors, tiny outputs | [`moves`] | one or two moves for each run |
//!
//! Vectors are integers to the compiler, so only plain elements move in them: others may have padding, which is no
//! integer, or pointers, which an integer forgets. The same kernels copy in both directions. Those that touch what lies
//! between the runs do so only in buffers that the caller may read and write as a whole: in a view it may belong to
//! somebody else.

#![expect(unsafe_code)]

mod moves;
#[cfg(feature = "rayon")]
mod parallel;
mod strides;
#[cfg(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
))]
mod vectors;

use super::cursor::Cursor;
use super::job::{Byte, Job, Pattern};
use super::new_memory;
use core::slice;
use moves::{Direction, Gather, Scatter};

/// Up to this many bytes of output, finding a better kernel costs more than it saves.
#[cfg_attr(
    not(any(target_arch = "x86_64", target_arch = "aarch64")),
    expect(dead_code, reason = "only vectors ask for it")
)]
const TINY: usize = 512;

/// Longer runs are rows of bytes to the kernels: there are no better cells than that.
const MOST_RUN: usize = 256;

/// The cells of a dense buffer.
#[derive(Clone, Copy)]
struct Dense {
    start: *mut Byte,
    /// The bytes that there are, whole cells.
    len: usize,
    /// The bytes to copy, whole cells: to scatter, the cells are repeated as often as it takes; otherwise it is `len`.
    total: usize,
}

/// A buffer with runs in it.
#[derive(Clone, Copy)]
struct Strided {
    start: *mut Byte,
    /// The bytes from the start on that may be touched beside the runs; or 0, and then nothing may.
    whole: usize,
}

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
        if len < streamed() {
            Self::Cached
        } else if new_memory::is_untouched(start, len) {
            Self::Untouched
        } else {
            Self::Far
        }
    }
}

/// Outputs of at least so many bytes are written past the caches.
fn streamed() -> usize {
    super::isa::last_level_cache() / 2
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
    let runs = Pattern::new(&job, MOST_RUN);
    let kernel = Kernel::new::<Gather>(runs, output, true);
    fill(&kernel, dst, |cursor, dst| {
        let strided = Strided {
            start: src.as_ptr().cast_mut(),
            whole: src.len(),
        };
        let dense = Dense {
            start: dst.as_mut_ptr(),
            len: dst.len(),
            total: dst.len(),
        };
        // SAFETY: the cursor walks the kernel's rows, which are those of a job whose runs lie in `src`; `dst` is borrowed
        // mutably, so it does not overlap `src`.
        unsafe { kernel.copy::<Gather>(cursor, strided, dense) }
    });
}

/// Fills `dst` with cells by calls of `copy`, on several threads if there is much of it.
#[inline(always)]
fn fill(kernel: &Kernel<'_>, dst: &mut [Byte], copy: impl Fn(&mut Cursor<'_>, &mut [Byte]) + Sync) {
    #[cfg(feature = "rayon")]
    if parallel::pays(dst.len()) {
        return parallel::fill(&kernel.rows, kernel.cell, dst, copy);
    }
    let mut cursor = kernel.rows.cursor();
    for part in dst.chunks_mut(kernel.part) {
        copy(&mut cursor, part);
    }
}

/// Copies the runs of `job`, counted from `strided`, to `dst`, without touching what lies between them.
///
/// # Safety
///
/// The runs can be read, and do not overlap `dst`.
pub(super) unsafe fn gather_exact(job: Job<'_>, strided: *const Byte, dst: &mut [Byte]) {
    assert!(job.dense == dst.len(), "the buffer is that of the job");
    let strided = Strided {
        start: strided.cast_mut(),
        whole: 0,
    };
    let dense = Dense {
        start: dst.as_mut_ptr(),
        len: dst.len(),
        total: dst.len(),
    };
    // SAFETY: the caller lets the runs be read, and as many bytes can be written to `dst`.
    unsafe { copy::<Gather>(&job, strided, dense) }
}

/// Copies the runs in `src`, one after the other, to those of `job` in `dst`; what lies between them keeps its value.
pub(super) fn scatter(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    assert!(
        job.strided <= dst.len() && job.dense == src.len(),
        "the buffers are those of the job"
    );
    if job.dims.is_empty() {
        // A single run: then it is a gather as well, which may use several threads.
        let run = &mut dst[job.offset..][..job.run];
        let (offset, strided) = (0, src.len());
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
    let strided = Strided {
        start: dst.as_mut_ptr(),
        whole: dst.len(),
    };
    // SAFETY: the runs of the job lie in `dst`, which is borrowed mutably, and so does all else that is touched.
    unsafe { copy::<Scatter>(&job, strided, repeated(&job, src)) };
}

/// The same, where the runs are counted from `strided`, nothing else is touched, and those in `src`, or as many of them
/// as are whole cells, are repeated as often as it takes.
///
/// Of two products of lengths of the last few axes, one divides the other: runs that are the same for each position of
/// the first few axes remain so, if `src` is a whole number of them.
///
/// # Safety
///
/// The runs can be written, and do not overlap `src`.
pub(super) unsafe fn scatter_exact(job: Job<'_>, src: &[Byte], strided: *mut Byte) {
    let strided = Strided {
        start: strided,
        whole: 0,
    };
    // SAFETY: the caller lets the runs be written, and the bytes of `src` can be read.
    unsafe { copy::<Scatter>(&job, strided, repeated(&job, src)) };
}

/// The runs in `src`, as often as it takes for all of the job.
fn repeated(job: &Job<'_>, src: &[Byte]) -> Dense {
    Dense {
        start: src.as_ptr().cast_mut(),
        len: src.len(),
        total: job.dense,
    }
}

/// # Safety
///
/// * The runs of the job, counted from the start of `strided`, can be read or, to scatter, written.
/// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
unsafe fn copy<D: Direction>(job: &Job<'_>, strided: Strided, mut dense: Dense) {
    let runs = Pattern::new(job, MOST_RUN);
    let output = match D::SCATTERS {
        true if job.dense >= streamed() => Output::Far,
        true => Output::Cached,
        false => Output::of(dense.start, dense.len),
    };
    let kernel = Kernel::new::<D>(runs, output, strided.whole > 0);
    dense.len = dense.len / kernel.cell * kernel.cell;
    // SAFETY: these are all rows of the kernel.
    unsafe { kernel.copy::<D>(&mut kernel.rows.cursor(), strided, dense) };
}

/// How a pattern is copied.
struct Kernel<'a> {
    way: Way,
    /// The pattern, with cells for runs.
    rows: Pattern<'a>,
    /// Bytes per cell.
    cell: usize,
    /// The most bytes of output to be copied at once.
    part: usize,
}

/// Calls of `memcpy` for so many bytes are made as if the other side were in the caches.
const NEAR: usize = 256 << 10;

#[expect(
    clippy::large_enum_variant,
    reason = "there is one per copy, on the stack"
)]
enum Way {
    Moves,
    Strides,
    #[cfg(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ))]
    Vectors(vectors::Kernel),
}

impl<'a> Kernel<'a> {
    /// The best for a pattern and an output; to scatter, the output is the strided buffer. `whole` if what lies between the
    /// runs may be touched.
    #[inline(always)]
    fn new<D: Direction>(runs: Pattern<'a>, output: Output, whole: bool) -> Self {
        // Measured on Zen 5, 256 MiB of rows: 24 ms, and 27 with vectors. `memcpy` writes lines without reading them.
        if output == Output::Untouched && runs.is_contiguous() {
            return Self {
                way: Way::Moves,
                rows: runs,
                cell: runs.run,
                part: NEAR / runs.run * runs.run,
            };
        }
        #[cfg(any(
            all(target_arch = "x86_64", target_feature = "sse2"),
            all(target_arch = "aarch64", target_feature = "neon")
        ))]
        if runs.job.dense > TINY
            && let Some((kernel, rows, cell)) =
                vectors::Kernel::new::<D>(runs, output == Output::Far, whole)
        {
            return Self {
                way: Way::Vectors(kernel),
                rows,
                cell,
                part: usize::MAX,
            };
        }
        let way = match !D::SCATTERS && whole && strides::fits::<false>(&runs) {
            true => Way::Strides,
            false => Way::Moves,
        };
        Self {
            way,
            rows: runs,
            cell: runs.run,
            part: usize::MAX,
        }
    }

    /// Copies the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks the rows of the kernel, the cells of which, counted from the start of `strided`, can be read or,
    ///   to scatter, written.
    /// * So can all other bytes that `strided` says may be touched, if the kernel was made for that.
    /// * The bytes of `dense` can be written or, to scatter, read; the two do not overlap.
    #[inline(always)]
    unsafe fn copy<D: Direction>(&self, cursor: &mut Cursor<'_>, strided: Strided, dense: Dense) {
        match &self.way {
            #[cfg(any(
                all(target_arch = "x86_64", target_feature = "sse2"),
                all(target_arch = "aarch64", target_feature = "neon")
            ))]
            // SAFETY: as the caller says.
            Way::Vectors(kernel) => unsafe { kernel.copy::<D>(&self.rows, cursor, strided, dense) },
            Way::Strides => {
                // SAFETY: this kernel is for gathers of buffers that may be read whole.
                let src = unsafe { slice::from_raw_parts(strided.start, strided.whole) };
                // SAFETY: the bytes can be written, by nobody else, since they do not overlap the others.
                let dst = unsafe { slice::from_raw_parts_mut(dense.start, dense.len) };
                strides::gather::<false>(&self.rows, cursor, src, dst);
            }
            Way::Moves => {
                let mut left = dense.total;
                while left > 0 {
                    let now = dense.len.min(left);
                    // SAFETY: these are the next runs, as many as there are in `now` bytes.
                    unsafe {
                        moves::copy::<D>(&self.rows, cursor, strided.start, dense.start, now)
                    };
                    left -= now;
                }
            }
        }
    }
}
