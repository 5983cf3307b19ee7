//! Choosing a kernel, once per copy and outside all loops.
//!
//! | pattern | kernel |
//! |---|---|
//! | runs longer than [`MOST_RUN`], or the whole output | rows of bytes |
//! | every second, third or fourth element | [`portable`] loops, compiled for AVX2 where there is |
//! | cells close together: reversed rows, parts of pixels and records, short rows | byte shuffles of [`x86`] |
//! | anything else: columns, short runs far apart, other processors, tiny outputs | [`portable`] loops |
//! | the same in the other direction, or with gaps that must not be read | AVX-512 shuffles, otherwise [`exact`] |

#![expect(unsafe_code)]

mod exact;
#[cfg(feature = "rayon")]
mod parallel;
mod portable;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod x86;

use super::bytes::{Byte, Job};
use super::cursor::Cursor;
use super::pattern::Pattern;
use core::slice;

/// Up to this many bytes of output, finding a better kernel costs more than it saves.
const TINY: usize = 512;

/// Longer runs are rows of bytes to the kernels: there are no better cells than that.
const MOST_RUN: usize = 256;

/// Outputs of at least so many bytes are written past the caches. Measured on a processor with 32 MiB of third-level
/// cache: up to 1 MiB that takes twice as long as ordinary stores, at 8 MiB a quarter longer, and from 16 MiB on two
/// thirds of their time.
const STREAMED: usize = 16 << 20;

/// Copies the runs of `job` in `src` to `dst`, one after the other.
pub(super) fn gather(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    gather_streaming(job, src, dst, STREAMED);
}

/// The same, writing outputs of at least `streamed` bytes past the caches.
#[inline(always)]
pub(super) fn gather_streaming(job: Job<'_>, src: &[Byte], dst: &mut [Byte], streamed: usize) {
    assert!(
        job.strided <= src.len() && job.dense == dst.len(),
        "the buffers are those of the job"
    );
    let runs = Pattern::new(&job, MOST_RUN);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if dst.len() > TINY
        && let Some((kernel, rows)) = x86::Gather::new(runs, dst.len() >= streamed)
    {
        return large(&rows, kernel.cell(runs), dst, |cursor, dst| {
            // SAFETY: the cursor is that of the rows, which are those of a job whose runs lie in `src`.
            unsafe { kernel.copy(&rows, cursor, src, dst) }
        });
    }
    large(&runs, runs.run, dst, |cursor, dst| {
        portable::gather(&runs, cursor, src, dst)
    });
}

/// Fills `dst` with cells by calls of `copy`, on several threads if there is much of it.
#[inline(always)]
#[cfg_attr(not(feature = "rayon"), expect(unused_variables))]
fn large(
    rows: &Pattern<'_>,
    cell: usize,
    dst: &mut [Byte],
    copy: impl Fn(&mut Cursor<'_>, &mut [Byte]) + Sync,
) {
    #[cfg(feature = "rayon")]
    if dst.len() >= parallel::FROM {
        return parallel::fill(rows, cell, dst, copy);
    }
    copy(&mut rows.cursor(), dst);
}

/// Copies the runs of `job`, counted from `strided`, to `dst`, without touching what lies between them.
///
/// # Safety
///
/// The runs can be read, and do not overlap `dst`.
pub(super) unsafe fn gather_exact(job: Job<'_>, strided: *const Byte, dst: &mut [Byte]) {
    assert!(job.dense == dst.len(), "the buffer is that of the job");
    let (dense, len) = (dst.as_mut_ptr(), dst.len());
    let runs = Pattern::new(&job, MOST_RUN);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if len > TINY
        && let Some((kernel, rows)) = x86::Avx512::new(runs, false)
    {
        // SAFETY: the cursor is that of the pattern, the cells of which are the runs.
        return unsafe {
            kernel.gather(x86::Manner::Exact, &mut rows.cursor(), strided, dense, len)
        };
    }
    // SAFETY: as above.
    unsafe {
        exact::copy::<exact::Gather>(&runs, &mut runs.cursor(), strided.cast_mut(), dense, len)
    }
}

/// Copies the runs in `src`, one after the other, to those of `job` in `dst`; nothing else is written.
pub(super) fn scatter(job: Job<'_>, src: &[Byte], dst: &mut [Byte]) {
    assert!(
        job.strided <= dst.len() && job.dense == src.len(),
        "the buffers are those of the job"
    );
    // SAFETY: the runs of the job lie in `dst`, which is borrowed mutably.
    unsafe { scatter_exact(job, src, dst.as_mut_ptr()) };
}

/// The same, where the runs are counted from `strided`, and those in `src`, or as many of them as are whole cells, are
/// repeated as often as it takes.
///
/// Of two products of lengths of the last few axes, one divides the other: runs that are the same for each position of
/// the first few axes remain so, if `src` is a whole number of them.
///
/// # Safety
///
/// The runs can be written, and do not overlap `src`.
pub(super) unsafe fn scatter_exact(job: Job<'_>, src: &[Byte], strided: *mut Byte) {
    if job.dims.is_empty() && job.dense == src.len() {
        // A single run: then it is a gather as well, which knows more about long ones.
        let run = strided.wrapping_add(job.offset);
        // SAFETY: by the contract.
        let run = unsafe { slice::from_raw_parts_mut(run, src.len()) };
        let job = Job {
            offset: 0,
            strided: src.len(),
            ..job
        };
        return gather(job, src, run);
    }
    let runs = Pattern::new(&job, MOST_RUN);
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if job.dense > TINY
        && let Some((kernel, rows)) = x86::Avx512::new(runs, true)
    {
        // SAFETY: the cursor is that of the pattern, the cells of which are the runs.
        return unsafe { kernel.scatter(&mut rows.cursor(), strided, src, job.dense) };
    }
    let cursor = &mut runs.cursor();
    for dense in repeated(src, runs.run, job.dense) {
        let (dense, len) = (dense.as_ptr().cast_mut(), dense.len());
        // SAFETY: as above.
        unsafe { exact::copy::<exact::Scatter>(&runs, cursor, strided, dense, len) };
    }
}

/// The whole cells in `src`, as often as it takes to make `len` bytes of them.
#[inline(always)]
fn repeated(src: &[Byte], cell: usize, len: usize) -> impl Iterator<Item = &[Byte]> {
    let src = &src[..src.len() / cell * cell];
    let starts = (0..len).step_by(src.len());
    starts.map(move |start| &src[..src.len().min(len - start)])
}
