//! An output split into bands along its first axis that is longer than 1. At most one worker at a time writes to a
//! band.

use std::ops::Range;
use std::sync::{Mutex, PoisonError, TryLockError};

use ndarray::{ArrayViewMut, Axis, Dimension, IxDyn};

use super::copy::{copy, copy_strided};
use super::places::Places;
use super::{BLOCK, Source, Step};
use crate::array::element::Unit;

/// The maximum number of bands. It is larger than the usual number of workers, so that a worker rarely waits for
/// another.
const BANDS: usize = 64;

/// An output to which all workers write.
pub(crate) trait Output<U>: Sync {
    /// Returns the number of axes.
    fn rank(&self) -> usize;

    /// Returns the length of the last axis.
    fn last_len(&self) -> usize;

    /// Copies the selected elements to their positions in the output.
    fn put(&self, source: &Source<'_, U>);
}

/// An output in bands.
pub(crate) struct Bands<'a, U> {
    shape: Vec<usize>,
    /// The output positions on each axis. Empty if they are the positions in the result of the selection.
    places: Places<'a>,
    /// The first axis that is longer than 1, along which the output is split.
    axis: usize,
    /// The number of positions of this axis in each band; the last band may have fewer.
    len: usize,
    bands: Vec<Mutex<ArrayViewMut<'a, U, IxDyn>>>,
}

impl<'a, U: Unit> Bands<'a, U> {
    pub(crate) fn new(output: ArrayViewMut<'a, U, IxDyn>, places: Places<'a>) -> Self {
        let shape = output.shape().to_vec();
        let axis = shape.iter().position(|&len| len > 1).unwrap_or(0);
        let all = shape.get(axis).copied().unwrap_or(1);
        let len = all.div_ceil(BANDS).max(1);
        let (mut bands, mut rest) = (Vec::new(), output);
        for _ in 1..all.div_ceil(len) {
            let (band, left) = rest.split_at(Axis(axis), len);
            bands.push(Mutex::new(band));
            rest = left;
        }
        bands.push(Mutex::new(rest));
        Bands {
            shape,
            places,
            axis,
            len,
            bands,
        }
    }

    /// Copies the elements of these steps of each axis.
    ///
    /// Neighbouring chunks fill the same bands, so a worker first copies to the bands that no other worker has locked.
    fn put_steps(&self, source: &Source<'_, U>, steps: &mut [Vec<Step>]) {
        let whole = match steps.get_mut(self.axis) {
            Some(steps) => std::mem::take(steps),
            None => Vec::new(),
        };
        let (cut, mut left) = self.cut(&whole);
        let mut put = |view: &mut ArrayViewMut<'_, U, IxDyn>, cut: &[Step]| {
            if let Some(steps) = steps.get_mut(self.axis) {
                steps.clear();
                steps.extend_from_slice(cut);
            }
            put_band(view, source, steps);
        };
        while let Some((band, places)) = left.first().cloned() {
            let before = left.len();
            left.retain(|(band, places)| {
                let held = match self.bands[*band].try_lock() {
                    Ok(held) => Some(held),
                    Err(TryLockError::Poisoned(held)) => Some(held.into_inner()),
                    Err(TryLockError::WouldBlock) => None,
                };
                let is_left = held.is_none();
                if let Some(mut held) = held {
                    put(&mut held, &cut[places.clone()]);
                }
                is_left
            });
            if left.len() == before {
                let held = self.bands[band].lock();
                let mut held = held.unwrap_or_else(PoisonError::into_inner);
                put(&mut held, &cut[places]);
                left.remove(0);
            }
        }
        if let Some(steps) = steps.get_mut(self.axis) {
            *steps = whole;
        }
    }

    /// Cuts the steps on the axis of the bands at the ends of bands. Returns the cut steps, and for each touched band
    /// its number and the range of its steps.
    fn cut(&self, steps: &[Step]) -> (Vec<Step>, Vec<(usize, Range<usize>)>) {
        let (mut cut, mut bands) = (Vec::with_capacity(steps.len()), Vec::new());
        if self.shape.is_empty() {
            bands.push((0, 0..0));
        }
        for &(mut step) in steps {
            while step.len > 0 {
                let band = step.to / self.len;
                let count = step.len.min((band + 1) * self.len - step.to);
                let here = cut.len();
                cut.push(Step {
                    to: step.to - band * self.len,
                    len: count,
                    ..step
                });
                match bands.last_mut() {
                    Some((last, places)) if *last == band => places.end = cut.len(),
                    _ => bands.push((band, here..cut.len())),
                }
                step.from = step.from.wrapping_add_signed(step.step * count as isize);
                step.to += count;
                step.len -= count;
            }
        }
        (cut, bands)
    }
}

/// Copies elements to a band that this worker has locked.
fn put_band<U: Unit>(
    band: &mut ArrayViewMut<'_, U, IxDyn>,
    source: &Source<'_, U>,
    steps: &[Vec<Step>],
) {
    let shape = band.raw_dim();
    match band.as_slice_mut() {
        Some(units) => copy(source.units, source.offset, units, shape.slice(), steps),
        None => copy_strided(source.units, source.offset, band.view_mut(), steps),
    }
}

impl<U: Unit> Output<U> for Bands<'_, U> {
    fn rank(&self) -> usize {
        self.shape.len()
    }

    fn last_len(&self) -> usize {
        self.shape.last().copied().unwrap_or(1)
    }

    fn put(&self, source: &Source<'_, U>) {
        let mut steps: Vec<Vec<Step>> = source.axes.iter().map(|_| Vec::new()).collect();
        each_block(source, &self.places, &mut steps, 0, &mut |steps| {
            self.put_steps(source, steps);
        });
    }
}

/// Calls `block` with every combination of blocks of steps, one block for each axis.
fn each_block<U>(
    source: &Source<'_, U>,
    places: &Places<'_>,
    steps: &mut [Vec<Step>],
    axis: usize,
    block: &mut impl FnMut(&mut [Vec<Step>]),
) {
    let Some(along) = source.axes.get(axis) else {
        return block(steps);
    };
    for begin in (0..along.len()).step_by(BLOCK) {
        along.steps(begin, &mut steps[axis]);
        places.replace(axis, &mut steps[axis]);
        each_block(source, places, steps, axis + 1, block);
    }
}
