//! A cursor over the cells that a kernel copies, in output order.
//!
//! A kernel copies *cells*, each of which is a run of bytes or a few runs. A *row* consists of evenly spaced cells, and
//! a *block* of evenly spaced rows. The cursor returns blocks. It can stop between any two cells, so a copy can be
//! split between several buffers or threads.

use crate::resolve::strided::StridedAxis;
use smallvec::SmallVec;

/// A cursor that returns the blocks of cells along several axes. The last axis is the innermost.
#[derive(Clone, Debug)]
pub(super) struct BlockCursor<'a> {
    outer: &'a [StridedAxis],
    /// The factor by which the strides of `outer` are multiplied.
    scale: usize,
    index: SmallVec<[usize; 6]>,
    rows: StridedAxis,
    row: StridedAxis,
    /// The offset of the first cell of the current row.
    offset: usize,
    /// The number of rows already taken from the current block, which is less than `rows.len`.
    rows_done: usize,
    /// The number of cells already taken from the current row, which is less than `row.len`.
    cells_done: usize,
}

/// `rows` rows of `cells` cells each, contiguous in the output.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    /// The offset of the first cell of the first row.
    pub(super) offset: usize,
    pub(super) rows: usize,
    pub(super) cells: usize,
}

impl<'a> BlockCursor<'a> {
    /// Returns a cursor at the first cell, which is at `offset`. The strides of `outer` are in units of `scale`.
    #[inline(always)]
    pub(super) fn new(
        offset: usize,
        outer: &'a [StridedAxis],
        scale: usize,
        row: StridedAxis,
    ) -> Self {
        let (rows, outer) = match outer.split_last() {
            Some((rows, outer)) => (rows.scaled(scale), outer),
            None => (StridedAxis { len: 1, stride: 0 }, outer),
        };
        let mut index = SmallVec::new();
        outer.iter().for_each(|_| index.push(0));
        Self {
            outer,
            scale,
            index,
            rows,
            row,
            offset,
            rows_done: 0,
            cells_done: 0,
        }
    }

    /// Returns the number of cells already taken from the current row.
    #[inline]
    pub(super) fn cells_done(&self) -> usize {
        self.cells_done
    }

    /// Returns the number of cells in a row.
    #[inline]
    pub(super) fn row_len(&self) -> usize {
        self.row.len
    }

    /// Returns the distance between the rows of a block.
    #[inline]
    pub(super) fn row_distance(&self) -> isize {
        self.rows.stride
    }

    /// Takes the next block, with at most `max_cells` cells. `max_cells` must not be 0. After the last cell, the cursor
    /// starts again at the first.
    #[inline]
    pub(super) fn take(&mut self, max_cells: usize) -> Block {
        let offset = self.offset;
        if self.cells_done > 0 || max_cells < self.row.len {
            let cells = max_cells.min(self.row.len - self.cells_done);
            let offset =
                offset.wrapping_add_signed(self.row.stride.wrapping_mul(self.cells_done as isize));
            self.cells_done += cells;
            if self.cells_done == self.row.len {
                self.cells_done = 0;
                self.skip_rows(1);
            }
            return Block {
                offset,
                rows: 1,
                cells,
            };
        }
        let rows = (self.rows.len - self.rows_done).min(max_cells / self.row.len);
        self.skip_rows(rows);
        Block {
            offset,
            rows,
            cells: self.row.len,
        }
    }

    /// Returns the cursor, moved forward by `cells` cells. The cursor must be at the first cell.
    #[cfg(feature = "rayon")]
    pub(super) fn advanced_by(mut self, cells: usize) -> Self {
        self.cells_done = cells % self.row.len;
        let mut rest = cells / self.row.len;
        let mut step = |axis: StridedAxis| {
            let i = rest % axis.len;
            rest /= axis.len;
            self.offset = self
                .offset
                .wrapping_add_signed(axis.stride.wrapping_mul(i as isize));
            i
        };
        self.rows_done = step(self.rows);
        for (axis, i) in self.outer.iter().zip(&mut self.index).rev() {
            *i = step(axis.scaled(self.scale));
        }
        self
    }

    /// Skips `rows` rows of the current block. At the end of the block, the cursor moves to the next block.
    ///
    /// Intermediate offsets may wrap around, but the offsets of cells never do.
    #[inline]
    fn skip_rows(&mut self, rows: usize) {
        self.rows_done += rows;
        self.offset = self
            .offset
            .wrapping_add_signed(self.rows.stride.wrapping_mul(rows as isize));
        if self.rows_done < self.rows.len {
            return;
        }
        self.rows_done = 0;
        self.offset = self
            .offset
            .wrapping_sub((self.rows.stride as usize).wrapping_mul(self.rows.len));
        for (axis, i) in self.outer.iter().zip(&mut self.index).rev() {
            let axis = axis.scaled(self.scale);
            self.offset = self.offset.wrapping_add_signed(axis.stride);
            *i += 1;
            if *i < axis.len {
                return;
            }
            *i = 0;
            self.offset = self
                .offset
                .wrapping_sub((axis.stride as usize).wrapping_mul(axis.len));
        }
    }
}
