//! Large outputs, cut into parts that several threads fill.
//!
//! Every byte is the same as with one thread, because parts are cut between cells and filled by the same kernels.

use super::super::cursor::BlockCursor;
use super::super::job::{Byte, Job};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Outputs of at least so many bytes are cut. Below, they may lie in the cache of one processor and would have to move to that
/// of another: measured with two threads on a Zen 5 whose last-level cache has 32 MiB, outputs of 4 MiB took 0.6 to 2.7 of
/// the time of one thread, of 16 MiB 0.5 to 2.0. Tests are to be quick.
const MIN_PARALLEL_BYTES: usize = if cfg!(test) { 256 << 10 } else { 32 << 20 };

/// Whether an output of so many bytes is worth more than one thread, and there are several.
pub(super) fn pays(bytes: usize) -> bool {
    bytes >= MIN_PARALLEL_BYTES && rayon::current_num_threads() > 1
}

/// About how many bytes a part has: enough to be worth its bookkeeping, few enough to spread evenly.
const PARALLEL_PART_BYTES: usize = if cfg!(test) { 128 << 10 } else { 1 << 20 };

/// Fills the parts of `dst` by calls of `fill` with a cursor that stands where the part begins.
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
