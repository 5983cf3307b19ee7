//! Large outputs, cut into parts that several threads fill.
//!
//! The result has the same bytes as with one thread: parts are cut between cells, and the same kernels fill them.

use super::super::cursor::BlockCursor;
use super::super::job::{Byte, Job};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Least output that is filled by several threads, in bytes. A smaller output may lie in the cache of one processor and
/// would have to move to another's. Measured with two threads on a Zen 5 with a last-level cache of 32 MiB: outputs of
/// 4 MiB took 0.6 to 2.7 times as long as with one thread, outputs of 16 MiB 0.5 to 2.0 times. Tests use less, to be
/// fast.
const MIN_PARALLEL_BYTES: usize = if cfg!(test) { 256 << 10 } else { 32 << 20 };

/// Returns whether an output is large enough for several threads, and there are several.
pub(super) fn pays(bytes: usize) -> bool {
    bytes >= MIN_PARALLEL_BYTES && rayon::current_num_threads() > 1
}

/// Approximate size of a part, in bytes: large enough to outweigh its bookkeeping, small enough to spread evenly.
const PARALLEL_PART_BYTES: usize = if cfg!(test) { 128 << 10 } else { 1 << 20 };

/// Fills the parts of `dst` by calls of `fill`, with a cursor at the beginning of each part.
pub(super) fn fill(
    cells: &Job<'_>,
    dst: &mut [Byte],
    fill: impl Fn(&mut BlockCursor<'_>, &mut [Byte]) + Sync,
) {
    let count = PARALLEL_PART_BYTES / cells.run;
    dst.par_chunks_mut(count * cells.run)
        .enumerate()
        .for_each(|(i, part)| fill(&mut cells.cursor().at(i * count), part));
}
