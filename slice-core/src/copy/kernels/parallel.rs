//! Fills large outputs in parts, on several threads.
//!
//! The output is the same as with one thread, because it is divided only between cells (see [`kernels`](super)), and
//! the same kernel fills each part.

use super::super::cursor::BlockCursor;
use super::super::job::{Byte, Job};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// The minimum size of an output that is filled by several threads, in bytes. A smaller output may be in the cache of
/// one core, and would have to move to the cache of another core. On a Zen 5 processor with a last-level cache of 32
/// MiB, copies to 4 MiB outputs took 0.6 to 2.7 times as long with two threads as with one, and copies to 16 MiB
/// outputs took 0.5 to 2.0 times as long. The size is smaller in tests, so that the tests are fast.
const MIN_PARALLEL_BYTES: usize = if cfg!(test) { 256 << 10 } else { 32 << 20 };

/// Returns `true` if there are several threads and the output is large enough for them.
pub(super) fn uses_threads(bytes: usize) -> bool {
    bytes >= MIN_PARALLEL_BYTES && rayon::current_num_threads() > 1
}

/// The approximate size of a part, in bytes. It is large enough to keep the overhead per part small, and small enough
/// to distribute the parts evenly over the threads.
const PARALLEL_PART_BYTES: usize = if cfg!(test) { 128 << 10 } else { 1 << 20 };

/// Divides `dst` into parts, and calls `copy` for each part, with a cursor at the beginning of the part.
pub(super) fn copy_parts(
    cells: &Job<'_>,
    dst: &mut [Byte],
    copy: impl Fn(&mut BlockCursor<'_>, &mut [Byte]) + Sync,
) {
    let count = PARALLEL_PART_BYTES / cells.run;
    dst.par_chunks_mut(count * cells.run)
        .enumerate()
        .for_each(|(i, part)| copy(&mut cells.cursor().advanced_by(i * count), part));
}
