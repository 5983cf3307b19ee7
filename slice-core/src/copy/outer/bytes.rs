//! Bytes between a buffer of which lists select parts and a dense one, in either direction.

use super::super::job::{Byte, Job};
use super::super::kernels;
use super::super::plan::GatherPlan;
use super::walk::{Last, OuterPlan, each_inner, moved};
use crate::outer::runs::{Run, Runs};
use crate::resolve::strided::Dim;

/// A strided copy of at least so many bytes pays for its plan.
const PLANNED: usize = 512;

/// Which way bytes go. What is dense is used up from its beginning.
pub(super) trait Ends {
    /// Copies `bytes` bytes from or to `place`.
    fn run(&mut self, place: usize, bytes: usize);

    /// Copies cells of `N` bytes from or to these places.
    fn cells<const N: usize>(&mut self, places: impl ExactSizeIterator<Item = usize>);

    /// Copies what a plan selects.
    fn planned(&mut self, plan: &GatherPlan, size: usize, plain: bool);

    /// The bytes of the buffer of which lists select parts.
    fn strided(&self) -> usize;
}

/// From a buffer to a dense one.
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
        next.expect("the result has room for all that is selected")
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

/// From a dense buffer to parts of another one.
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
        next.expect("there is a value for all that is selected")
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
    bytes.first_chunk().expect("a place within the buffer")
}

#[inline(always)]
fn cell_mut<const N: usize>(bytes: &mut [Byte]) -> &mut [Byte; N] {
    bytes.first_chunk_mut().expect("a place within the buffer")
}

/// Calls `cells` with the number of bytes as a constant, for the numbers that a few moves copy; others are runs.
macro_rules! with_cells {
    ($ends:ident, $bytes:expr, $places:expr) => {
        with_cells!(@ $ends, $bytes, $places, 1 2 3 4 6 8 12 16 24 32 48 64)
    };
    (@ $ends:ident, $bytes:expr, $places:expr, $($n:literal)*) => {
        match $bytes {
            $( $n => $ends.cells::<$n>($places), )*
            bytes => $places.for_each(|place| $ends.run(place, bytes)),
        }
    };
}

impl OuterPlan<'_> {
    /// Copies elements of `size` bytes.
    pub(super) fn bytes(&self, mut ends: impl Ends, size: usize, plain: bool) {
        if size == 0 {
            return;
        }
        // An axis whose elements follow each other is part of the run.
        let (contiguous, axes) = match self.inner.as_slice() {
            [axes @ .., Dim { len, stride: 1 }] => (*len, axes),
            axes => (1, axes),
        };
        let run = contiguous * size;
        let block = axes.iter().map(|dim| dim.len).product::<usize>() * run;
        self.each_block(|offset| match self.last {
            Last::Listed(Runs::Singles(positions), stride) if axes.is_empty() => {
                let places = positions
                    .iter()
                    .map(|&k| moved(offset, k, stride).wrapping_mul(size));
                with_cells!(ends, run, places);
            }
            Last::Listed(Runs::Singles(positions), stride) => {
                for &position in positions {
                    let offset = moved(offset, position, stride);
                    self.inner_block(&mut ends, offset, (size, plain), block);
                }
            }
            Last::Listed(Runs::Runs { runs, .. }, stride) => {
                for &part in runs {
                    self.of_run(&mut ends, part, stride, offset, (size, plain), block);
                }
            }
            Last::Run(part) => self.of_run(&mut ends, part, 1, offset, (size, plain), block),
        });
    }

    /// A run of positions, of which each has `block` bytes.
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
        // A place that is written twice is to have the last value, and the kernels write in any order.
        if run.step != 0 && run.len > 1 && run.len * block >= PLANNED {
            let axis = Dim {
                len: run.len,
                stride: step,
            };
            return self.planned(ends, first, Some(axis), size, plain);
        }
        if dense {
            let places = (0..run.len).map(|k| moved(first, k, step).wrapping_mul(size));
            with_cells!(ends, block, places);
        } else {
            for k in 0..run.len {
                self.inner_block(ends, moved(first, k, step), (size, plain), block);
            }
        }
    }

    /// The copy within one position.
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
                with_cells!(ends, run, places);
            });
        } else {
            each_inner(&self.inner, offset, &mut |row| {
                let places = row.map(|place| place.wrapping_mul(size));
                with_cells!(ends, size, places);
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
            &plan.expect("a selection stays within its input"),
            size,
            plain,
        );
    }
}
