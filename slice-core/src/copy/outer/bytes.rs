//! Copies bytes between a strided buffer, whose elements are selected by lists, and a dense buffer, in either
//! direction.

use super::super::job::{Byte, Job};
use super::super::kernels;
use super::super::plan::GatherPlan;
use super::walk::{Last, OuterPlan, each_inner, moved};
use crate::outer::runs::{Run, Runs};
use crate::outer::singles::{Single, with_singles};
use crate::resolve::strided::Dim;

/// The minimum size, in bytes, of a strided copy for which a [`GatherPlan`] is made.
const PLANNED: usize = 512;

/// The two buffers of a copy in one direction. Each method that copies consumes the next bytes of the dense buffer.
pub(super) trait Ends {
    /// Copies `bytes` bytes from or to the offset `place` of the strided buffer.
    fn run(&mut self, place: usize, bytes: usize);

    /// Copies cells of `N` bytes from or to the offsets `places` of the strided buffer.
    fn cells<const N: usize>(&mut self, places: impl ExactSizeIterator<Item = usize>);

    /// Copies a cell of `N` bytes at each position in each row of a table.
    fn table<const N: usize, S: Single>(&mut self, table: Table<'_, S>);

    /// Copies a run of `run` bytes at each position in each row of a table. `plain` is true if the elements have no
    /// padding and no pointers.
    fn rows<S: Single>(&mut self, run: usize, table: Table<'_, S>, plain: bool);

    /// Copies the elements selected by a plan, each of which has `size` bytes. `plain` has the same meaning as in
    /// [`rows`](Self::rows).
    fn planned(&mut self, plan: &GatherPlan, size: usize, plain: bool);

    /// Returns the size of the strided buffer, in bytes.
    fn strided(&self) -> usize;
}

/// A list of single positions, which are selected in each of several rows. Offsets and distances are in bytes.
#[derive(Clone, Copy)]
pub(super) struct Table<'a, S> {
    positions: &'a [S],
    /// The offset of position 0 in the first row.
    place: usize,
    /// The distance from one position of the axis to the next.
    step: usize,
    rows: Dim,
}

impl<S: Single> Table<'_, S> {
    fn len(&self) -> usize {
        self.rows.len * self.positions.len()
    }

    /// Returns the offset of position 0 in each row.
    #[inline(always)]
    fn rows(self) -> impl Iterator<Item = usize> {
        (0..self.rows.len).map(move |row| moved(self.place, row, self.rows.stride))
    }

    /// Returns the offsets of the listed positions in the row that begins at offset `row`.
    #[inline(always)]
    fn places(self, row: usize) -> impl Iterator<Item = usize> + Clone {
        let step = self.step.cast_signed();
        let positions = self.positions.iter();
        positions.map(move |&k| moved(row, k.position(), step))
    }
}

/// Copies from the selected elements of a strided buffer to a dense buffer.
pub(super) struct Gather<'a> {
    from: &'a [Byte],
    to: &'a mut [Byte],
}

impl<'a> Gather<'a> {
    pub(super) fn new(from: &'a [Byte], to: &'a mut [Byte]) -> Self {
        Gather { from, to }
    }

    #[inline(always)]
    fn next(&mut self, bytes: usize) -> &'a mut [Byte] {
        let next = self.to.split_off_mut(..bytes);
        next.expect("dense buffer has room for each selected element")
    }
}

impl Ends for Gather<'_> {
    #[inline(always)]
    fn run(&mut self, place: usize, bytes: usize) {
        self.next(bytes)
            .copy_from_slice(&self.from[place..][..bytes]);
    }

    #[inline(always)]
    fn cells<const N: usize>(&mut self, places: impl ExactSizeIterator<Item = usize>) {
        let (from, to) = (self.from, self.next(places.len() * N));
        for (to, place) in to.as_chunks_mut::<N>().0.iter_mut().zip(places) {
            *to = *cell(&from[place..]);
        }
    }

    fn rows<S: Single>(&mut self, run: usize, table: Table<'_, S>, plain: bool) {
        for row in table.rows() {
            let to = self.next(table.positions.len() * run);
            kernels::gather_listed(self.from, run, plain, table.places(row), to);
        }
    }

    #[inline(never)]
    fn table<const N: usize, S: Single>(&mut self, table: Table<'_, S>) {
        let to = self.next(table.len() * N).as_chunks_mut::<N>().0;
        let rows = to.chunks_exact_mut(table.positions.len());
        for (to, row) in rows.zip(table.rows()) {
            // If neighbouring positions are `N` bytes apart, the row is an array of cells, and each cell needs only one
            // bounds check.
            if table.step == N {
                let cells = self.from[row..].as_chunks::<N>().0;
                for (to, &k) in to.iter_mut().zip(table.positions) {
                    *to = cells[k.position()];
                }
            } else {
                for (to, place) in to.iter_mut().zip(table.places(row)) {
                    *to = *cell(&self.from[place..]);
                }
            }
        }
    }

    fn planned(&mut self, plan: &GatherPlan, size: usize, plain: bool) {
        let (from, to) = (self.from, self.next(plan.len() * size));
        if let Some(job) = Job::of_bytes(plan, size, plain) {
            kernels::gather(job, from, to);
        }
    }

    fn strided(&self) -> usize {
        self.from.len()
    }
}

/// Copies from a dense buffer to the selected elements of a strided buffer.
pub(super) struct Scatter<'a> {
    from: &'a [Byte],
    to: &'a mut [Byte],
}

impl<'a> Scatter<'a> {
    pub(super) fn new(from: &'a [Byte], to: &'a mut [Byte]) -> Self {
        Scatter { from, to }
    }

    #[inline(always)]
    fn next(&mut self, bytes: usize) -> &'a [Byte] {
        let next = self.from.split_off(..bytes);
        next.expect("dense buffer has a value for each selected element")
    }
}

impl Ends for Scatter<'_> {
    #[inline(always)]
    fn run(&mut self, place: usize, bytes: usize) {
        let from = self.next(bytes);
        self.to[place..][..bytes].copy_from_slice(from);
    }

    #[inline(always)]
    fn cells<const N: usize>(&mut self, places: impl ExactSizeIterator<Item = usize>) {
        let from = self.next(places.len() * N);
        for (from, place) in from.as_chunks::<N>().0.iter().zip(places) {
            *cell_mut(&mut self.to[place..]) = *from;
        }
    }

    fn rows<S: Single>(&mut self, run: usize, table: Table<'_, S>, _plain: bool) {
        for row in table.rows() {
            table.places(row).for_each(|place| self.run(place, run));
        }
    }

    #[inline(never)]
    fn table<const N: usize, S: Single>(&mut self, table: Table<'_, S>) {
        let from = self.next(table.len() * N).as_chunks::<N>().0;
        let rows = from.chunks_exact(table.positions.len());
        for (from, row) in rows.zip(table.rows()) {
            if table.step == N {
                let cells = self.to[row..].as_chunks_mut::<N>().0;
                for (from, &k) in from.iter().zip(table.positions) {
                    cells[k.position()] = *from;
                }
            } else {
                for (from, place) in from.iter().zip(table.places(row)) {
                    *cell_mut(&mut self.to[place..]) = *from;
                }
            }
        }
    }

    fn planned(&mut self, plan: &GatherPlan, size: usize, plain: bool) {
        let from = self.next(plan.len() * size);
        if let Some(job) = Job::of_bytes(plan, size, plain) {
            kernels::scatter(job, from, self.to);
        }
    }

    fn strided(&self) -> usize {
        self.to.len()
    }
}

#[inline(always)]
fn cell<const N: usize>(bytes: &[Byte]) -> &[Byte; N] {
    bytes.first_chunk().expect("cell is within the buffer")
}

#[inline(always)]
fn cell_mut<const N: usize>(bytes: &mut [Byte]) -> &mut [Byte; N] {
    bytes.first_chunk_mut().expect("cell is within the buffer")
}

/// Evaluates `$cells` with the size `$bytes` as the constant `$N`, if a cell of this size can be copied with a few
/// moves. Otherwise, evaluates `$runs` with the size as `$other`.
macro_rules! with_size {
    ($bytes:expr, $N:ident => $cells:expr, $other:ident => $runs:expr) => {
        with_size!(@ $bytes, $N, $cells, $other, $runs, 1 2 3 4 6 8 12 16 24 32 48 64)
    };
    (@ $bytes:expr, $N:ident, $cells:expr, $other:ident, $runs:expr, $($n:literal)*) => {
        match $bytes {
            $( $n => {
                const $N: usize = $n;
                $cells
            } )*
            $other => $runs,
        }
    };
}

/// Copies runs of `bytes` bytes from or to the offsets `places` of the strided buffer.
#[inline(always)]
fn cells(ends: &mut impl Ends, bytes: usize, places: impl ExactSizeIterator<Item = usize>) {
    with_size!(
        bytes,
        N => ends.cells::<N>(places),
        bytes => places.for_each(|place| ends.run(place, bytes))
    );
}

impl OuterPlan<'_> {
    /// Copies all selected elements, each of which has `size` bytes. `plain` is true if they have no padding and no
    /// pointers.
    pub(super) fn bytes(&self, mut ends: impl Ends, size: usize, plain: bool) {
        if size == 0 {
            return;
        }
        // An innermost axis of contiguous elements is part of the run.
        let (contiguous, axes) = match self.inner.as_slice() {
            [axes @ .., Dim { len, stride: 1 }] => (*len, axes),
            axes => (1, axes),
        };
        let run = contiguous * size;
        if let (Last::Listed(Runs::Singles(singles), stride), []) = (self.last, axes) {
            return with_singles!(singles, positions => {
                self.table(&mut ends, positions, stride, run, (size, plain));
            });
        }
        let block = axes.iter().map(|dim| dim.len).product::<usize>() * run;
        self.each_block(|offset| match self.last {
            Last::Listed(Runs::Singles(singles), stride) => {
                with_singles!(singles, positions => for &position in positions {
                    let offset = moved(offset, position.position(), stride);
                    self.inner_block(&mut ends, offset, (size, plain), block);
                });
            }
            Last::Listed(Runs::Runs { runs, .. }, stride) => {
                for &part in runs {
                    self.of_run(&mut ends, part, stride, offset, (size, plain), block);
                }
            }
            Last::Run(part) => self.of_run(&mut ends, part, 1, offset, (size, plain), block),
        });
    }

    /// Copies the `run` bytes at each position of a list.
    fn table<S: Single>(
        &self,
        ends: &mut impl Ends,
        positions: &[S],
        stride: isize,
        run: usize,
        (size, plain): (usize, bool),
    ) {
        self.each_table(|offset, rows| {
            let table = Table {
                positions,
                place: offset.wrapping_mul(size),
                step: stride.cast_unsigned().wrapping_mul(size),
                rows: rows.scaled(size),
            };
            with_size!(
                run,
                N => ends.table::<N, S>(table),
                run => ends.rows(run, table, plain)
            );
        });
    }

    /// Copies the `block` bytes at each position of a run.
    #[inline(always)]
    fn of_run(
        &self,
        ends: &mut impl Ends,
        run: Run,
        stride: isize,
        offset: usize,
        (size, plain): (usize, bool),
        block: usize,
    ) {
        let first = moved(offset, run.start, stride);
        let step = stride.wrapping_mul(run.step);
        let dense = self.inner.is_empty() || matches!(self.inner[..], [Dim { stride: 1, .. }]);
        if dense && step.wrapping_mul(size as isize) == block as isize {
            return ends.run(first * size, run.len * block);
        }
        // If an element is written several times, the last value must be kept, but the kernels write in any order. Runs
        // with step 0, which repeat a position, are therefore copied without a plan.
        if run.step != 0 && run.len > 1 && run.len * block >= PLANNED {
            let axis = Dim {
                len: run.len,
                stride: step,
            };
            return self.planned(ends, first, Some(axis), size, plain);
        }
        if dense {
            let places = (0..run.len).map(|k| moved(first, k, step).wrapping_mul(size));
            cells(ends, block, places);
        } else {
            for k in 0..run.len {
                self.inner_block(ends, moved(first, k, step), (size, plain), block);
            }
        }
    }

    /// Copies the elements of the inner axes at the position that begins at `offset`.
    fn inner_block(
        &self,
        ends: &mut impl Ends,
        offset: usize,
        (size, plain): (usize, bool),
        block: usize,
    ) {
        if block >= PLANNED {
            return self.planned(ends, offset, None, size, plain);
        }
        if let [axes @ .., Dim { len, stride: 1 }] = self.inner.as_slice() {
            let run = len * size;
            each_inner(axes, offset, &mut |row| {
                let places = row.map(|place| place.wrapping_mul(size));
                cells(ends, run, places);
            });
        } else {
            each_inner(&self.inner, offset, &mut |row| {
                let places = row.map(|place| place.wrapping_mul(size));
                cells(ends, size, places);
            });
        }
    }

    #[inline(never)]
    fn planned(
        &self,
        ends: &mut impl Ends,
        offset: usize,
        run: Option<Dim>,
        size: usize,
        plain: bool,
    ) {
        let axes = run.iter().chain(&self.inner).copied();
        let axes: smallvec::SmallVec<[Dim; 6]> = axes.collect();
        let plan = GatherPlan::new(offset, axes, ends.strided() / size);
        ends.planned(
            &plan.expect("selection stays within its input"),
            size,
            plain,
        );
    }
}
