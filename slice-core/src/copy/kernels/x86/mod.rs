//! The kernels of x86-64 processors.

mod aligned;
mod avx512;
mod cells;
mod lanes;
mod line;
pub(super) mod rows;
mod steps;
mod table;
mod tile;

use super::super::bytes::Byte;
use super::super::cursor::Cursor;
use super::super::isa::InstructionSet;
use super::super::pattern::Pattern;
use super::{exact, portable};
use aligned::Lines;
pub(super) use avx512::Manner;
use avx512::VECTOR;
use cells::Cells;
use lanes::Parts;
use line::LINE;
use table::{OUT, Table, WINDOW};

/// How the cells of a pattern are gathered.
pub(super) struct Gather {
    way: Way,
    /// Whether the output is written past the caches.
    streams: bool,
}

enum Way {
    /// Rows that are runs of bytes.
    Runs,
    /// The portable loops, compiled for AVX2.
    Wide,
    /// Byte shuffles of 512-bit vectors.
    Avx512(Avx512),
    /// Byte shuffles of two 128-bit lanes at a time.
    Avx2(Table, Parts),
    /// Byte shuffles of one lane at a time.
    Ssse3(Table, Parts),
}

/// Calls a function with the number of loads as a constant.
macro_rules! with_loads {
    ($loads:expr, $($function:ident)::+ ($($argument:expr),*)) => {
        match $loads {
            1 => $($function)::+::<1>($($argument),*),
            2 => $($function)::+::<2>($($argument),*),
            3 => $($function)::+::<3>($($argument),*),
            _ => $($function)::+::<4>($($argument),*),
        }
    };
}

impl Gather {
    /// The kernel, and the rows of cells that it copies, if there is one that gains something; `streams` if the output
    /// is to be written past the caches where that is possible.
    #[inline(always)]
    pub(super) fn new(runs: Pattern<'_>, streams: bool) -> Option<(Self, Pattern<'_>)> {
        let isa = runs.job.isa;
        if runs.is_contiguous() {
            return Some((
                Self {
                    way: Way::Runs,
                    streams,
                },
                runs,
            ));
        }
        if isa < InstructionSet::Ssse3 || runs.run >= OUT {
            return None;
        }
        let cells = Cells::new(runs, OUT, WINDOW);
        let streams = streams && !is_sparse(&cells);
        let wide = isa >= InstructionSet::Avx2
            && cells.are_runs()
            && matches!(runs.run, 1 | 2 | 4 | 8)
            && (2..=4).any(|factor| runs.row.stride == factor * runs.run as isize);
        let portable = || {
            let way = Way::Wide;
            wide.then_some((
                Self {
                    way,
                    streams: false,
                },
                runs,
            ))
        };
        if !streams && let Some(kernel) = portable() {
            return Some(kernel);
        }
        match Way::shuffle(runs, cells) {
            Some((way, rows)) => Some((Self { way, streams }, rows)),
            None => portable(),
        }
    }

    /// Bytes per cell, for a kernel made for these runs.
    pub(super) fn cell(&self, runs: Pattern<'_>) -> usize {
        match &self.way {
            Way::Runs | Way::Wide => runs.run,
            Way::Avx512(Avx512 { table }) | Way::Avx2(table, _) | Way::Ssse3(table, _) => {
                table.cell
            }
        }
    }

    /// Copies the cells that come next until `dst` is full.
    ///
    /// # Safety
    ///
    /// `cursor` walks the rows that came with the kernel, all of which lie in `src`.
    pub(super) unsafe fn copy(
        &self,
        rows: &Pattern<'_>,
        cursor: &mut Cursor<'_>,
        src: &[Byte],
        dst: &mut [Byte],
    ) {
        let (strided, dense, len) = (src.as_ptr(), dst.as_mut_ptr(), dst.len());
        let streams = self.streams;
        match &self.way {
            // SAFETY: the runs lie in `src`.
            Way::Runs => unsafe {
                let strided = strided.cast_mut();
                rows::copy::<exact::Gather>((rows, streams), cursor, strided, dense, len)
            },
            // SAFETY: `new` has seen that the processor has the features.
            Way::Wide => unsafe { wide(rows, cursor, src, dst) },
            Way::Avx512(kernel) => {
                let end = src.as_ptr_range().end.addr();
                let manner = match streams {
                    true => Manner::Stream { end },
                    false => Manner::Whole { end },
                };
                // SAFETY: the cells, and so the windows, which begin and end with cells, lie in `src`.
                unsafe { kernel.gather(manner, cursor, strided, dense, len) }
            }
            // SAFETY: as above, and `new` has seen that the processor has the features.
            Way::Avx2(table, parts) => unsafe {
                with_loads!(
                    parts.loads,
                    lanes::gather_avx2((table, parts, streams), cursor, strided, dense, len)
                )
            },
            // SAFETY: as above.
            Way::Ssse3(table, parts) => unsafe {
                with_loads!(
                    parts.loads,
                    lanes::gather_ssse3((table, parts, streams), cursor, strided, dense, len)
                )
            },
        }
    }
}

/// Whether far more is read than copied, at least four bytes for each, since whole cache lines are read.
fn is_sparse(cells: &Cells<'_>) -> bool {
    4 * cells.size < cells.rows.row.stride.unsigned_abs().min(LINE)
}

impl Way {
    /// Byte shuffles, if they gain something.
    #[inline(always)]
    fn shuffle<'a>(runs: Pattern<'a>, cells: Cells<'a>) -> Option<(Self, Pattern<'a>)> {
        let isa = runs.job.isa;
        if isa >= InstructionSet::Avx512 {
            return Avx512::new(runs, false).map(|(kernel, rows)| (Self::Avx512(kernel), rows));
        }
        let count = cells.within(OUT, WINDOW);
        if count == 0 || !worth(&cells, count, 4) {
            return None;
        }
        let table = Table::new(&cells, count);
        let parts = Parts::new(&table)?;
        worth(&cells, count, 3 * parts.loads + 1).then_some(match isa >= InstructionSet::Avx2 {
            true => (Self::Avx2(table, parts), cells.rows),
            false => (Self::Ssse3(table, parts), cells.rows),
        })
    }
}

/// Byte shuffles of 512-bit vectors, in either direction.
pub(super) struct Avx512 {
    table: Table,
}

impl Avx512 {
    /// The kernel, and the rows of cells that it copies, if the processor has it and it gains something; `scatters` if it
    /// is for the other direction.
    #[inline(always)]
    pub(super) fn new(runs: Pattern<'_>, scatters: bool) -> Option<(Self, Pattern<'_>)> {
        if runs.job.isa < InstructionSet::Avx512 || runs.is_contiguous() || runs.run >= OUT {
            return None;
        }
        let cells = Cells::new(runs, OUT, WINDOW);
        // A step costs its loads, as many shuffles, and one store. As many cells as possible are best, unless the last
        // load brings but few of them.
        let most = cells.within(OUT, WINDOW);
        if most == 0 {
            return None;
        }
        let loads = cells.span_of(most).div_ceil(VECTOR);
        let fewer = cells.within(OUT, (loads - 1) * VECTOR);
        // In the other direction its stores are what counts, unless they can begin lines, because steps are whole lines or
        // whole rows.
        let far = cells.rows.row.stride.unsigned_abs();
        let aligned = most == cells.rows.row.len || (most * far).is_multiple_of(LINE);
        let others = usize::from(!scatters || aligned);
        let (count, price) = match fewer * (loads + others) > most * (loads - 1 + others) {
            true => (fewer, loads),
            false => (most, loads + 1),
        };
        worth(&cells, count, price).then(|| {
            (
                Self {
                    table: Table::new(&cells, count),
                },
                cells.rows,
            )
        })
    }

    fn loads(&self) -> usize {
        self.table.span.div_ceil(VECTOR)
    }

    /// Gathers the cells that come next.
    ///
    /// # Safety
    ///
    /// * `cursor` walks the rows that came with the kernel; these and, unless it is exact, all between them and up to
    ///   the end that the manner names, counted from `strided`, can be read.
    /// * The `len` bytes at `dense`, which are whole cells, can be written.
    pub(super) unsafe fn gather(
        &self,
        manner: Manner,
        cursor: &mut Cursor<'_>,
        strided: *const Byte,
        dense: *mut Byte,
        len: usize,
    ) {
        let table = &self.table;
        // SAFETY: `new` has seen that the processor has the features; the rest is the caller's.
        unsafe {
            with_loads!(
                self.loads(),
                avx512::gather((table, manner), cursor, strided, dense, len)
            )
        }
    }

    /// Scatters the cells that come next, `len` bytes of them, without writing what lies between them; those in `dense`
    /// are repeated as often as it takes.
    ///
    /// # Safety
    ///
    /// `cursor` walks the rows that came with the kernel; these, counted from `strided`, can be written.
    pub(super) unsafe fn scatter(
        &self,
        cursor: &mut Cursor<'_>,
        strided: *mut Byte,
        dense: &[Byte],
        len: usize,
    ) {
        let table = &self.table;
        let lines = Lines::new(table, cursor, strided, len / table.cell);
        let lines = lines.as_ref();
        let shift = lines.map_or(0, |lines| lines.shift);
        // SAFETY: as in `gather`.
        unsafe {
            with_loads!(
                (shift + table.span).div_ceil(VECTOR),
                avx512::scatter((table, lines), cursor, strided, dense, len)
            )
        }
    }
}

/// [`portable::gather`], compiled for AVX2.
#[target_feature(enable = "avx2,bmi2")]
fn wide(pattern: &Pattern<'_>, cursor: &mut Cursor<'_>, src: &[Byte], dst: &mut [Byte]) {
    portable::gather(pattern, cursor, src, dst);
}

/// Whether a step of `count` cells is cheaper than the moves it stands for: one for a run that is a register, otherwise
/// two or more.
fn worth(cells: &Cells<'_>, count: usize, price: usize) -> bool {
    let run = cells.rows.run;
    let moves = match run {
        1 | 2 | 4 | 8 | 16 => 1,
        0..=32 => 2,
        _ => 4,
    };
    moves * count * cells.size / run >= price
}
