//! Large outputs, cut into parts that several threads fill.
//!
//! Every byte is the same as with one thread, because parts are cut between cells and filled by the same kernels.

use super::super::cursor::Cursor;
use super::super::job::Byte;
use super::super::job::Pattern;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Outputs of at least so many bytes are cut. Waking a thread takes some 10 µs, and longer where the system puts it on the
/// processor that is busy already. Measured with two threads on a Zen 5, of which one copies 1 MiB in 20 to 30 µs: 1 MiB
/// takes 0.8 to 2.0 of the time of one thread, 4 MiB 0.6 to 1.5, 8 MiB 0.5 to 1.0.
const FROM: usize = 8 << 20;

/// Whether an output of so many bytes is worth more than one thread, and there are several.
pub(super) fn pays(bytes: usize) -> bool {
    bytes >= FROM && rayon::current_num_threads() > 1
}

/// About how many bytes a part has: enough to be worth its bookkeeping, few enough to spread evenly.
const PART: usize = 1 << 20;

/// Fills the parts of `dst` by calls of `fill` with a cursor that stands where the part begins.
pub(super) fn fill(
    rows: &Pattern<'_>,
    cell: usize,
    dst: &mut [Byte],
    fill: impl Fn(&mut Cursor<'_>, &mut [Byte]) + Sync,
) {
    let cells = PART / cell;
    dst.par_chunks_mut(cells * cell)
        .enumerate()
        .for_each(|(i, part)| {
            fill(&mut rows.cursor().at(i * cells), part);
        });
}
