//! The output in bands of its first axis, each of which one worker writes to at a time.

use std::sync::{Mutex, PoisonError};

use ndarray::{ArrayViewMut, Axis, Dimension, IxDyn};

use super::copy::{copy, copy_strided};
use super::{BLOCK, Source, Step};
use crate::array::element::Unit;

/// More bands than workers that copy at the same time, so that one rarely waits for another.
const BANDS: usize = 64;

/// An output that all workers write to.
pub(crate) trait Output<U>: Sync {
    /// The number of axes.
    fn rank(&self) -> usize;

    /// The length of the last axis.
    fn last_len(&self) -> usize;

    /// Copies what is taken to where it goes.
    fn put(&self, source: &Source<'_, U>);
}

/// An output in bands.
pub(crate) struct Bands<'a, U> {
    shape: Vec<usize>,
    /// The first axis that is longer than 1, and how many of its positions a band has.
    axis: usize,
    len: usize,
    bands: Vec<Mutex<ArrayViewMut<'a, U, IxDyn>>>,
}

impl<'a, U: Unit> Bands<'a, U> {
    pub(crate) fn new(output: ArrayViewMut<'a, U, IxDyn>) -> Self {
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
            axis,
            len,
            bands,
        }
    }

    /// Copies some steps of each axis.
    fn put_steps(&self, source: &Source<'_, U>, steps: &mut [Vec<Step>]) {
        if steps.is_empty() {
            return self.put_band(0, source, steps);
        }
        let whole = std::mem::take(&mut steps[self.axis]);
        let mut left = whole.iter().copied().peekable();
        while let Some(&first) = left.peek() {
            let band = first.to / self.len;
            let (begin, end) = (band * self.len, (band + 1) * self.len);
            steps[self.axis].clear();
            while let Some(step) = left.peek_mut().filter(|step| step.to / self.len == band) {
                let count = step.len.min(end - step.to);
                steps[self.axis].push(Step {
                    to: step.to - begin,
                    len: count,
                    ..*step
                });
                if count == step.len {
                    left.next();
                } else {
                    *step = Step {
                        from: step.from.wrapping_add_signed(step.step * count as isize),
                        to: end,
                        len: step.len - count,
                        ..*step
                    };
                }
            }
            self.put_band(band, source, steps);
        }
        steps[self.axis] = whole;
    }

    fn put_band(&self, band: usize, source: &Source<'_, U>, steps: &[Vec<Step>]) {
        let band = self.bands[band].lock();
        let mut band = band.unwrap_or_else(PoisonError::into_inner);
        let shape = band.raw_dim();
        match band.as_slice_mut() {
            Some(units) => copy(source.units, source.offset, units, shape.slice(), steps),
            None => copy_strided(source.units, source.offset, band.view_mut(), steps),
        }
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
        each_block(source, &mut steps, 0, &mut |steps| {
            self.put_steps(source, steps);
        });
    }
}

/// Calls `block` with some steps of each axis, until all combinations were there.
fn each_block<U>(
    source: &Source<'_, U>,
    steps: &mut [Vec<Step>],
    axis: usize,
    block: &mut impl FnMut(&mut [Vec<Step>]),
) {
    let Some(along) = source.axes.get(axis) else {
        return block(steps);
    };
    for begin in (0..along.len()).step_by(BLOCK) {
        along.steps(begin, &mut steps[axis]);
        each_block(source, steps, axis + 1, block);
    }
}
