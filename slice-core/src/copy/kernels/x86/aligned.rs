//! Scattering rows in windows that are whole cache lines.
//!
//! A store across two cache lines costs as much as two, and at most offsets every store of a long row is one. Where a
//! step advances by whole lines, a row is therefore written in three parts: a few cells up to the first line, whole steps
//! from there, and the cells that remain. The parts are the same for all rows that lie alike.

use super::super::super::bytes::Byte;
use super::super::super::cursor::Cursor;
use super::avx512::{FirstCells, Scatter};
use super::line::LINE;
use super::steps::Step;
use super::table::{Table, WINDOW};

/// Finding the parts takes as long as so many steps, which is too much for every single row.
const LONG_ROW: usize = 16;

/// How the windows of a table can lie on cache lines.
pub(super) struct Lines {
    /// So many bytes before the first cell a window begins.
    pub(super) shift: usize,
    /// What the windows of a row differ by is a multiple of this power of 2.
    unit: usize,
    /// How many cells advance by one unit, not counting whole lines.
    inverse: usize,
    /// Whether every row lies differently.
    each_row: bool,
}

impl Lines {
    /// For the rows that come next; `None` if their windows cannot lie on lines, or if it would not pay.
    #[inline]
    pub(super) fn new(
        table: &Table,
        cursor: &Cursor<'_>,
        strided: *mut Byte,
        cells: usize,
    ) -> Option<Self> {
        let block = cursor.clone().take(cells);
        let window = first_window(table, block.offset, strided).addr();
        let distance = cursor.row_distance().unsigned_abs();
        let each_row = block.rows > 1 && !distance.is_multiple_of(LINE);
        if block.cells <= table.cells {
            // A single step, whose window can begin where a line does.
            let lines = Self {
                shift: window % LINE,
                unit: LINE,
                inverse: 1,
                each_row,
            };
            return (!each_row && lines.shift + table.span <= WINDOW).then_some(lines);
        }
        let far = table.stride.unsigned_abs();
        let unit = 1 << table.stride.trailing_zeros().min(LINE.trailing_zeros());
        let shift = window % unit;
        let whole = (far * table.cells).is_multiple_of(LINE) && table.span <= far * table.cells;
        let long =
            !each_row || distance.is_multiple_of(unit) && block.cells >= LONG_ROW * table.cells;
        let fits = shift + table.span <= table.span.next_multiple_of(LINE);
        // Newton's method: an odd number is its own inverse modulo 8, and each round doubles the bits that are right.
        let odd = (table.stride / unit as isize) as usize;
        let inverse = (0..2).fold(odd, |x, _| {
            x.wrapping_mul(2_usize.wrapping_sub(odd.wrapping_mul(x)))
        });
        (whole && long && fits).then_some(Self {
            shift,
            unit,
            inverse,
            each_row,
        })
    }

    /// The first cell of a row whose window begins a line; 0 if there is none.
    #[inline(always)]
    fn first_cell(&self, window: *mut Byte) -> usize {
        let missing = window.addr().wrapping_neg() % LINE;
        match missing % self.unit {
            0 => (missing / self.unit).wrapping_mul(self.inverse) % (LINE / self.unit),
            _ => 0,
        }
    }
}

/// The window of the step that begins with the cell at `offset`.
#[inline(always)]
fn first_window(table: &Table, offset: usize, strided: *mut Byte) -> *mut Byte {
    strided.wrapping_add(offset).wrapping_offset(table.low)
}

/// Scatters the cells that come next.
///
/// # Safety
///
/// * The processor has the instructions of `step`.
/// * `step` is that of the table, in windows that begin as the lines say.
/// * `cursor` walks the cells of the pattern that `table` was made for, which, counted from `strided`, can be written.
/// * The `len` bytes at `dense`, which are whole cells, can be read.
#[inline(always)]
pub(super) unsafe fn scatter<const STORES: usize>(
    (table, lines): (&Table, &Lines),
    step: &Scatter<STORES>,
    cursor: &mut Cursor<'_>,
    strided: *mut Byte,
    mut dense: *mut Byte,
    len: usize,
) {
    let mut left = len / table.cell;
    while left > 0 {
        let block = cursor.take(left);
        left -= block.rows * block.cells;
        let mut window = first_window(table, block.offset, strided).wrapping_sub(lines.shift);
        let alike = if lines.each_row { 1 } else { block.rows };
        for _ in 0..block.rows / alike {
            let row = Row::new(table, step, block.cells, lines.first_cell(window));
            for _ in 0..alike {
                // SAFETY: by the contract; the row has the cells of this block.
                unsafe { row.scatter(table, step, window, dense) };
                window = window.wrapping_offset(cursor.row_distance());
                dense = dense.wrapping_add(block.cells * table.cell);
            }
        }
    }
}

/// The parts of a row.
struct Row<const STORES: usize> {
    /// The cells before the first line, and how many these are.
    head: FirstCells<STORES>,
    aligned: usize,
    /// Whole steps.
    steps: usize,
    /// The cells that remain.
    tail: FirstCells<STORES>,
    rest: usize,
}

impl<const STORES: usize> Row<STORES> {
    #[inline(always)]
    fn new(table: &Table, step: &Scatter<STORES>, cells: usize, aligned: usize) -> Self {
        let aligned = aligned.min(cells);
        let (steps, rest) = (
            (cells - aligned) / table.cells,
            (cells - aligned) % table.cells,
        );
        Self {
            head: step.first_cells(table, aligned),
            aligned,
            steps,
            tail: step.first_cells(table, rest),
            rest,
        }
    }

    /// Scatters a row.
    ///
    /// # Safety
    ///
    /// The requirements of [`Step::copy`] hold for the parts: `window` is that of the row's first cell.
    #[inline(always)]
    unsafe fn scatter(
        &self,
        table: &Table,
        step: &Scatter<STORES>,
        mut window: *mut Byte,
        mut dense: *mut Byte,
    ) {
        if self.aligned > 0 {
            // SAFETY: by the contract.
            unsafe { step.copy_first(&self.head, window, dense) };
            window = window.wrapping_offset(table.stride * self.aligned as isize);
            dense = dense.wrapping_add(table.cell * self.aligned);
        }
        for _ in 0..self.steps {
            // SAFETY: by the contract.
            unsafe { step.copy(window, dense) };
            window = window.wrapping_offset(table.stride * table.cells as isize);
            dense = dense.wrapping_add(table.out());
        }
        if self.rest > 0 {
            // SAFETY: by the contract.
            unsafe { step.copy_first(&self.tail, window, dense) };
        }
    }
}
