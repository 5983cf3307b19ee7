//! Splits an output into bands along its first axis that is longer than 1. At most one worker at a time writes to a
//! band.

use std::ops::Range;
use std::sync::{Mutex, TryLockError};

use ndarray::{ArrayViewMut, Axis, Dimension, IxDyn};

use super::copy::{copy, copy_strided};
use super::output_positions::OutputPositions;
use super::{MAX_MOVES_AT_ONCE, Source};
use crate::array::element::Unit;
use crate::array::workers::lock;
use crate::chunks::grouped::Move;

/// The maximum number of bands. It is larger than the usual number of workers, so that a worker rarely waits for
/// another worker.
const MAX_BANDS: usize = 64;

/// An output to which all workers write. It is split into bands, each of which has a lock.
pub(crate) struct Bands<'a, U> {
    rank: usize,
    /// The number of units (integers) per element, or `None` if the output has no axis for the units.
    pub(crate) units_per_element: Option<usize>,
    /// The output positions on each axis. They are empty if the selected elements fill the whole output.
    positions: OutputPositions<'a>,
    /// The first axis that is longer than 1, along which the output is split.
    axis: usize,
    /// The length of each band along this axis. The last band may be shorter.
    len: usize,
    bands: Vec<Mutex<ArrayViewMut<'a, U, IxDyn>>>,
}

impl<'a, U: Unit> Bands<'a, U> {
    /// Splits an output for slices with `slice_rank` axes.
    pub(crate) fn new(
        output: ArrayViewMut<'a, U, IxDyn>,
        slice_rank: usize,
        positions: OutputPositions<'a>,
    ) -> Self {
        let (shape, rank) = (output.shape(), output.ndim());
        let units_per_element = shape.get(slice_rank).copied();
        let axis = shape.iter().position(|&len| len > 1).unwrap_or(0);
        let axis_len = shape.get(axis).copied().unwrap_or(1);
        let len = axis_len.div_ceil(MAX_BANDS).max(1);
        let (mut bands, mut rest) = (Vec::new(), output);
        for _ in 1..axis_len.div_ceil(len) {
            let (band, left) = rest.split_at(Axis(axis), len);
            bands.push(Mutex::new(band));
            rest = left;
        }
        bands.push(Mutex::new(rest));
        Bands {
            rank,
            units_per_element,
            positions,
            axis,
            len,
            bands,
        }
    }

    /// Copies the selected elements to their positions in the output.
    pub(crate) fn put(&self, source: &Source<'_, U>) {
        let mut runs: Vec<Vec<Move>> = source.axes.iter().map(|_| Vec::new()).collect();
        for_each_group(source, &self.positions, &mut runs, 0, &mut |runs| {
            self.put_runs(source, runs);
        });
    }

    /// Copies the elements given by `runs`, which contains the runs of each axis.
    ///
    /// Neighboring chunks fill the same bands, so a worker first copies to the bands that no other worker has locked.
    fn put_runs(&self, source: &Source<'_, U>, runs: &mut [Vec<Move>]) {
        let axis_runs = match runs.get_mut(self.axis) {
            Some(runs) => std::mem::take(runs),
            None => Vec::new(),
        };
        let (cut_runs, mut remaining_bands) = self.cut(&axis_runs);
        let mut put = |view: &mut ArrayViewMut<'_, U, IxDyn>, cut: &[Move]| {
            if let Some(runs) = runs.get_mut(self.axis) {
                runs.clear();
                runs.extend_from_slice(cut);
            }
            put_band(view, source, runs);
        };
        while let Some((band, range)) = remaining_bands.first().cloned() {
            let before = remaining_bands.len();
            remaining_bands.retain(|(band, range)| {
                let guard = match self.bands[*band].try_lock() {
                    Ok(guard) => Some(guard),
                    Err(TryLockError::Poisoned(guard)) => Some(guard.into_inner()),
                    Err(TryLockError::WouldBlock) => None,
                };
                let is_locked = guard.is_none();
                if let Some(mut guard) = guard {
                    put(&mut guard, &cut_runs[range.clone()]);
                }
                is_locked
            });
            if remaining_bands.len() == before {
                put(&mut lock(&self.bands[band]), &cut_runs[range]);
                remaining_bands.remove(0);
            }
        }
        if let Some(runs) = runs.get_mut(self.axis) {
            *runs = axis_runs;
        }
    }

    /// Cuts the runs on the split axis at the band boundaries. Returns the cut runs and, for each touched band, its
    /// number and the range of its runs.
    fn cut(&self, runs: &[Move]) -> (Vec<Move>, Vec<(usize, Range<usize>)>) {
        let (mut cut, mut bands) = (Vec::with_capacity(runs.len()), Vec::new());
        if self.rank == 0 {
            bands.push((0, 0..0));
        }
        for &(mut run) in runs {
            while run.len > 0 {
                let band = run.to / self.len;
                let count = run.len.min((band + 1) * self.len - run.to);
                let here = cut.len();
                cut.push(Move {
                    to: run.to - band * self.len,
                    len: count,
                    ..run
                });
                match bands.last_mut() {
                    Some((last, range)) if *last == band => range.end = cut.len(),
                    _ => bands.push((band, here..cut.len())),
                }
                run.from = run.from.wrapping_add_signed(run.step * count as isize);
                run.to += count;
                run.len -= count;
            }
        }
        (cut, bands)
    }
}

/// Copies elements to a band that this worker has locked.
fn put_band<U: Unit>(
    band: &mut ArrayViewMut<'_, U, IxDyn>,
    source: &Source<'_, U>,
    runs: &[Vec<Move>],
) {
    let shape = band.raw_dim();
    match band.as_slice_mut() {
        Some(units) => copy(source.units, source.offset, units, shape.slice(), runs),
        None => copy_strided(source.units, source.offset, band.view_mut(), runs),
    }
}

/// Calls `visit` with every combination of groups of runs, one group for each axis.
fn for_each_group<U>(
    source: &Source<'_, U>,
    positions: &OutputPositions<'_>,
    runs: &mut [Vec<Move>],
    axis: usize,
    visit: &mut impl FnMut(&mut [Vec<Move>]),
) {
    let Some(source_axis) = source.axes.get(axis) else {
        return visit(runs);
    };
    for begin in (0..source_axis.len()).step_by(MAX_MOVES_AT_ONCE) {
        source_axis.runs(begin, &mut runs[axis]);
        positions.replace(axis, &mut runs[axis]);
        for_each_group(source, positions, runs, axis + 1, visit);
    }
}
