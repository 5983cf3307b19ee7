//! Copies bytes between a strided buffer, whose elements are selected by lists, and a dense buffer, in either
//! direction.

use core::ops::Range;

use super::super::job::{Byte, Job};
use super::super::kernels;
use super::super::kernels::prefetch::prefetch_bytes;
use super::super::kernels::vectors::stream::Stream;
use super::super::plan::CopyPlan;
use super::super::tuning::RUN_PREFETCH_DISTANCE_BYTES;
use super::walk::{LoopPlan, each_inner, position_offset};
use crate::bits::Bits;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::form::{Single, with_cut};
use crate::resolve::strided::StridedAxis;

/// The minimum size, in bytes, of a strided copy for which a [`CopyPlan`] is made. For a smaller copy, making the
/// plan would take more time than the plan saves.
const MIN_PLANNED_BYTES: usize = 512;

/// The two buffers of a copy in one direction. Each method that copies consumes the next bytes of the dense buffer.
pub(super) trait Buffers {
    /// Copies `bytes` bytes from or to offset `offset` in the strided buffer.
    fn copy_run(&mut self, offset: usize, bytes: usize);

    /// Copies *cells*, which are runs of `N` bytes, from or to `offsets` in the strided buffer.
    fn copy_cells<const N: usize>(&mut self, offsets: impl ExactSizeIterator<Item = usize>);

    /// Copies a cell of `N` bytes at each position in each row of a table.
    fn copy_table<const N: usize, S: Single>(&mut self, table: PositionTable<'_, S>);

    /// Copies a run of `run` bytes at each position in each row of a table. `plain` is true if the elements have no
    /// padding and no pointers.
    fn copy_run_table<S: Single>(&mut self, run: usize, table: PositionTable<'_, S>, plain: bool);

    /// Copies the elements selected by a plan, each of which has `size` bytes. `plain` has the same meaning as in
    /// [`copy_run_table`](Self::copy_run_table).
    fn copy_planned(&mut self, plan: &CopyPlan, size: usize, plain: bool);

    /// Copies the `count` elements that a mask selects from the elements of `size` bytes beginning at offset `offset` in the
    /// strided buffer. The elements must be plain.
    fn copy_masked(&mut self, mask: &Bits, count: usize, offset: usize, size: usize);

    /// Returns the size of the strided buffer, in bytes.
    fn strided(&self) -> usize;
}

/// A list of single positions, which are selected in each of several rows. Offsets and distances are in bytes.
#[derive(Clone, Copy)]
pub(super) struct PositionTable<'a, S> {
    positions: &'a [S],
    /// The offset of position 0 in the first row.
    offset: usize,
    /// The distance from one position of the axis to the next.
    stride: usize,
    rows: StridedAxis,
}

impl<S: Single> PositionTable<'_, S> {
    fn len(&self) -> usize {
        self.rows.len * self.positions.len()
    }

    /// Returns the offset of position 0 in each row.
    #[inline(always)]
    fn row_offsets(self) -> impl Iterator<Item = usize> {
        (0..self.rows.len).map(move |row| position_offset(self.offset, row, self.rows.stride))
    }

    /// Returns the offsets of the listed positions in the row that begins at offset `row`.
    #[inline(always)]
    fn offsets(self, row: usize) -> impl Iterator<Item = usize> + Clone {
        let stride = self.stride.cast_signed();
        let positions = self.positions.iter();
        positions.map(move |&k| position_offset(row, k.position(), stride))
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

    /// Returns `true` if all bytes of the dense buffer have been written.
    pub(super) fn is_full(&self) -> bool {
        self.to.is_empty()
    }

    #[inline(always)]
    fn next(&mut self, bytes: usize) -> &'a mut [Byte] {
        let next = self.to.split_off_mut(..bytes);
        next.expect("the dense buffer should have room for each selected element")
    }
}

impl Buffers for Gather<'_> {
    #[inline(always)]
    fn copy_run(&mut self, offset: usize, bytes: usize) {
        self.next(bytes)
            .copy_from_slice(&self.from[offset..][..bytes]);
    }

    #[inline(always)]
    fn copy_cells<const N: usize>(&mut self, offsets: impl ExactSizeIterator<Item = usize>) {
        let (from, to) = (self.from, self.next(offsets.len() * N));
        for (to, offset) in to.as_chunks_mut::<N>().0.iter_mut().zip(offsets) {
            *to = *cell(&from[offset..]);
        }
    }

    fn copy_run_table<S: Single>(&mut self, run: usize, table: PositionTable<'_, S>, plain: bool) {
        for row in table.row_offsets() {
            let to = self.next(table.positions.len() * run);
            kernels::gather_listed(self.from, run, plain, table.offsets(row), to);
        }
    }

    #[inline(never)]
    fn copy_table<const N: usize, S: Single>(&mut self, table: PositionTable<'_, S>) {
        let to = self.next(table.len() * N).as_chunks_mut::<N>().0;
        let rows = to.chunks_exact_mut(table.positions.len());
        for (to, row) in rows.zip(table.row_offsets()) {
            // If neighboring positions are `N` bytes apart, the row is an array of cells, and each cell needs one
            // bounds check instead of two.
            if table.stride == N {
                let cells = self.from[row..].as_chunks::<N>().0;
                for (to, &k) in to.iter_mut().zip(table.positions) {
                    *to = cells[k.position()];
                }
            } else {
                for (to, offset) in to.iter_mut().zip(table.offsets(row)) {
                    *to = *cell(&self.from[offset..]);
                }
            }
        }
    }

    fn copy_planned(&mut self, plan: &CopyPlan, size: usize, plain: bool) {
        let (from, to) = (self.from, self.next(plan.len() * size));
        if let Some(job) = Job::of_bytes(plan, size, plain) {
            kernels::gather(job, from, to);
        }
    }

    fn copy_masked(&mut self, mask: &Bits, count: usize, offset: usize, size: usize) {
        let from = &self.from[offset..][..mask.len() * size];
        let to = self.next(count * size);
        // Single bytes are not streamed, because selecting them takes longer than writing them.
        let mut stream = match size {
            1 => Err(to),
            _ => Stream::new(to),
        };
        let mut copied = 0;
        let (parts, prefetches) = parts(mask, count, size);
        for part in parts {
            let (first, from) = (part.start / size, &from[part]);
            if prefetches {
                prefetch_later(from, from.len());
            }
            let room = match &mut stream {
                Ok(stream) => stream.room(),
                Err(to) => &mut to[copied * size..],
            };
            // SAFETY: the elements of `from` are plain, so all their bytes are initialized.
            let selected = unsafe { mask.compress(first, size, from, room) };
            copied += selected;
            if let Ok(stream) = &mut stream {
                stream.advance(selected * size);
            }
        }
        assert_eq!(copied, count, "every selected element should be copied");
        if let Ok(stream) = stream {
            stream.finish();
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
        next.expect("the dense buffer should have a value for each selected element")
    }
}

impl Buffers for Scatter<'_> {
    #[inline(always)]
    fn copy_run(&mut self, offset: usize, bytes: usize) {
        let from = self.next(bytes);
        self.to[offset..][..bytes].copy_from_slice(from);
    }

    #[inline(always)]
    fn copy_cells<const N: usize>(&mut self, offsets: impl ExactSizeIterator<Item = usize>) {
        let from = self.next(offsets.len() * N);
        for (from, offset) in from.as_chunks::<N>().0.iter().zip(offsets) {
            *cell_mut(&mut self.to[offset..]) = *from;
        }
    }

    fn copy_run_table<S: Single>(&mut self, run: usize, table: PositionTable<'_, S>, _plain: bool) {
        for row in table.row_offsets() {
            table
                .offsets(row)
                .for_each(|offset| self.copy_run(offset, run));
        }
    }

    #[inline(never)]
    fn copy_table<const N: usize, S: Single>(&mut self, table: PositionTable<'_, S>) {
        let from = self.next(table.len() * N).as_chunks::<N>().0;
        let rows = from.chunks_exact(table.positions.len());
        for (from, row) in rows.zip(table.row_offsets()) {
            if table.stride == N {
                let cells = self.to[row..].as_chunks_mut::<N>().0;
                for (from, &k) in from.iter().zip(table.positions) {
                    cells[k.position()] = *from;
                }
            } else {
                for (from, offset) in from.iter().zip(table.offsets(row)) {
                    *cell_mut(&mut self.to[offset..]) = *from;
                }
            }
        }
    }

    fn copy_planned(&mut self, plan: &CopyPlan, size: usize, plain: bool) {
        let from = self.next(plan.len() * size);
        if let Some(job) = Job::of_bytes(plan, size, plain) {
            kernels::scatter(job, from, self.to);
        }
    }

    fn copy_masked(&mut self, mask: &Bits, count: usize, offset: usize, size: usize) {
        let from = self.next(count * size);
        let to = &mut self.to[offset..][..mask.len() * size];
        let mut copied = 0;
        let (parts, prefetches) = parts(mask, count, size);
        let bytes_per_part = from.len() / parts.len().max(1);
        for part in parts {
            let (first, from, to) = (part.start / size, &from[copied * size..], &mut to[part]);
            if prefetches {
                prefetch_later(to, to.len());
                prefetch_later(from, bytes_per_part);
            }
            // SAFETY: the elements of both buffers are plain and initialized, so all their bytes are initialized.
            copied += unsafe { mask.expand(first, size, from, to) };
        }
    }

    fn strided(&self) -> usize {
        self.to.len()
    }
}

#[inline(always)]
fn cell<const N: usize>(bytes: &[Byte]) -> &[Byte; N] {
    bytes
        .first_chunk()
        .expect("the cell should be within the buffer")
}

#[inline(always)]
fn cell_mut<const N: usize>(bytes: &mut [Byte]) -> &mut [Byte; N] {
    bytes
        .first_chunk_mut()
        .expect("the cell should be within the buffer")
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

/// Copies runs of `bytes` bytes from or to `offsets` in the strided buffer.
#[inline(always)]
fn copy_cells(
    buffers: &mut impl Buffers,
    bytes: usize,
    offsets: impl ExactSizeIterator<Item = usize>,
) {
    with_size!(
        bytes,
        N => buffers.copy_cells::<N>(offsets),
        bytes => offsets.for_each(|offset| buffers.copy_run(offset, bytes))
    );
}

/// Returns the ranges of bytes of the parts that are copied one after the other, and whether later parts should be prefetched
/// meanwhile, for elements of `size` bytes, `count` of which a mask selects. Elements that fit in the caches are one part.
///
/// A processor prefetches memory that is read line after line, but stops if lines are skipped, and is too late between
/// streaming stores: on Zen 5, copying runs of 100 `f32` elements of a mask with 10⁸ elements takes half as long with
/// prefetching. If less than an eighth of the elements are selected, most lines are not needed.
pub(super) fn parts(
    mask: &Bits,
    count: usize,
    size: usize,
) -> (impl ExactSizeIterator<Item = Range<usize>>, bool) {
    let bytes = mask.len() * size;
    let are_far = bytes >= kernels::min_streamed_bytes();
    let part = if are_far { Stream::ROOM } else { bytes.max(1) };
    let starts = (0..bytes).step_by(part);
    (
        starts.map(move |start| start..bytes.min(start + part)),
        are_far && count >= mask.len() / 8,
    )
}

/// Prefetches the `bytes` bytes that are copied a few parts after the ones at `at`.
#[inline(always)]
pub(super) fn prefetch_later(at: &[Byte], bytes: usize) {
    let later = at.as_ptr().wrapping_add(RUN_PREFETCH_DISTANCE_BYTES);
    prefetch_bytes(later, bytes);
}

/// Returns `true` if the runs of `run` bytes at the positions of a list are the elements of a contiguous array, and if
/// elements of this size can be copied by a mask. `axes` are the axes outside of the runs, and `stride` is the distance
/// between positions, in elements of `size` bytes.
pub(super) fn is_copied_by_mask(
    axes: &[StridedAxis],
    stride: isize,
    size: usize,
    run: usize,
) -> bool {
    axes.is_empty() && stride.cast_unsigned().wrapping_mul(size) == run && Bits::copies(run)
}

impl LoopPlan<'_> {
    /// Copies all selected elements, each of which has `size` bytes. `plain` is true if the elements have no padding
    /// and no pointers.
    pub(super) fn copy_bytes(&self, buffers: &mut impl Buffers, size: usize, plain: bool) {
        if size == 0 {
            return;
        }
        // An innermost axis of contiguous elements is part of the run.
        let (contiguous, axes) = match self.inner.as_slice() {
            [axes @ .., StridedAxis { len, stride: 1 }] => (*len, axes),
            axes => (1, axes),
        };
        let run = contiguous * size;
        let block = axes.iter().map(|axis| axis.len).product::<usize>() * run;
        let (list, stride) = &self.last;
        if let Some(mask) = list.mask()
            && plain
            && is_copied_by_mask(axes, *stride, size, run)
        {
            return self
                .each_block(|offset| buffers.copy_masked(mask, list.len(), offset * size, run));
        }
        let (last, stride) = self.cut();
        if axes.is_empty() {
            with_cut!(
                last,
                singles => return self.copy_table(buffers, singles, stride, run, (size, plain)),
                _runs => {},
            );
        }
        self.each_block(|offset| {
            with_cut!(
                last,
                singles => for &single in singles {
                    let offset = position_offset(offset, single.position(), stride);
                    self.copy_inner_block(buffers, offset, (size, plain), block);
                },
                runs => for run in runs {
                    self.copy_axis_run(buffers, run.range, stride, offset, (size, plain), block);
                },
            );
        });
    }

    /// Copies the `run` bytes at each position of a list.
    fn copy_table<S: Single>(
        &self,
        buffers: &mut impl Buffers,
        positions: &[S],
        stride: isize,
        run: usize,
        (size, plain): (usize, bool),
    ) {
        self.each_table(|offset, rows| {
            let table = PositionTable {
                positions,
                offset: offset.wrapping_mul(size),
                stride: stride.cast_unsigned().wrapping_mul(size),
                rows: rows.scaled(size),
            };
            with_size!(
                run,
                N => buffers.copy_table::<N, S>(table),
                run => buffers.copy_run_table(run, table, plain)
            );
        });
    }

    /// Copies the `block` bytes at each position of a run.
    #[inline(always)]
    fn copy_axis_run(
        &self,
        buffers: &mut impl Buffers,
        run: AxisRange,
        stride: isize,
        offset: usize,
        (size, plain): (usize, bool),
        block: usize,
    ) {
        let first = position_offset(offset, run.start, stride);
        let run_stride = stride.wrapping_mul(run.step);
        let dense =
            self.inner.is_empty() || matches!(self.inner[..], [StridedAxis { stride: 1, .. }]);
        if dense && run_stride.wrapping_mul(size as isize) == block as isize {
            return buffers.copy_run(first * size, run.len * block);
        }
        // If an element is written several times, the last value must be kept, but the kernels may write elements in
        // any order. Runs with step 0, which repeat a position, are therefore copied without a plan.
        if run.step != 0 && run.len > 1 && run.len * block >= MIN_PLANNED_BYTES {
            let axis = StridedAxis {
                len: run.len,
                stride: run_stride,
            };
            return self.copy_planned(buffers, first, Some(axis), size, plain);
        }
        if dense {
            let offsets =
                (0..run.len).map(|k| position_offset(first, k, run_stride).wrapping_mul(size));
            copy_cells(buffers, block, offsets);
        } else {
            for k in 0..run.len {
                self.copy_inner_block(
                    buffers,
                    position_offset(first, k, run_stride),
                    (size, plain),
                    block,
                );
            }
        }
    }

    /// Copies the elements of the inner axes at the position that begins at `offset`.
    fn copy_inner_block(
        &self,
        buffers: &mut impl Buffers,
        offset: usize,
        (size, plain): (usize, bool),
        block: usize,
    ) {
        if block >= MIN_PLANNED_BYTES {
            return self.copy_planned(buffers, offset, None, size, plain);
        }
        if let [axes @ .., StridedAxis { len, stride: 1 }] = self.inner.as_slice() {
            let run = len * size;
            each_inner(axes, offset, &mut |row| {
                let offsets = row.map(|offset| offset.wrapping_mul(size));
                copy_cells(buffers, run, offsets);
            });
        } else {
            each_inner(&self.inner, offset, &mut |row| {
                let offsets = row.map(|offset| offset.wrapping_mul(size));
                copy_cells(buffers, size, offsets);
            });
        }
    }

    #[inline(never)]
    fn copy_planned(
        &self,
        buffers: &mut impl Buffers,
        offset: usize,
        run: Option<StridedAxis>,
        size: usize,
        plain: bool,
    ) {
        let axes = run.iter().chain(&self.inner).copied();
        let axes: smallvec::SmallVec<[StridedAxis; 6]> = axes.collect();
        let plan = CopyPlan::new(offset, axes, buffers.strided() / size);
        buffers.copy_planned(
            &plan.expect("the selection should stay within its input"),
            size,
            plain,
        );
    }
}
