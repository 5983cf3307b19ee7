//! Large outputs, cut into parts that several threads fill.
//!
//! Every byte is the same as with one thread, because parts are cut between cells and filled by the same kernels.

use super::super::cursor::Cursor;
use super::super::job::Byte;
use super::super::job::Pattern;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// Outputs of at least so many bytes are cut: below, waking a thread costs more than it brings.
pub(super) const FROM: usize = 4 << 20;

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
