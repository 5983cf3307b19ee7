//! A part of a read plan may fill scattered positions of the output. This module maps positions in the result of a part
//! to positions in the output.

use slice_core::{AxisPositions, AxisRange, AxisRun, OuterSelection};

use super::Step;
use crate::chunks::lists::list_bytes;

/// The *places* of a part: the positions of the output that the part fills, on each axis.
#[derive(Default)]
pub(crate) struct Places<'p>(Vec<OfAxis<'p>>);

/// The places on an axis, one for each position of the part, in ascending order.
enum OfAxis<'p> {
    Range(AxisRange),
    Singles(AxisPositions<'p>),
    /// Runs of places, with the number of positions before each run.
    Runs(AxisPositions<'p>, Vec<usize>),
}

impl<'p> Places<'p> {
    /// Returns the places given by `output`, a selection of the output.
    pub(crate) fn new(output: &'p OuterSelection) -> Self {
        let axes = (0..output.input_shape().len()).map(|axis| match output.axis(axis) {
            AxisPositions::Range(range) => OfAxis::Range(range),
            AxisPositions::Runs(runs) => {
                let mut all = 0;
                let begins = runs.iter().map(|run| {
                    all += run.len;
                    all - run.len
                });
                let begins = begins.collect();
                OfAxis::Runs(AxisPositions::Runs(runs), begins)
            }
            singles => OfAxis::Singles(singles),
        });
        Places(axes.collect())
    }

    /// Returns the memory that the places of `output` take, in bytes.
    pub(crate) fn held_bytes(&self, output: &OuterSelection) -> u64 {
        let axes = self.0.iter().enumerate();
        let bytes = axes.map(|(axis, places)| {
            let begins: &[usize] = match places {
                OfAxis::Runs(_, begins) => begins,
                _ => &[],
            };
            (list_bytes(output, axis) + size_of_val(begins)) as u64
        });
        bytes.sum()
    }

    /// Replaces the target positions of steps on an axis, which are positions in the result of the part, with their
    /// places.
    pub(super) fn replace(&self, axis: usize, steps: &mut Vec<Step>) {
        let places = match self.0.get(axis) {
            None => return,
            Some(OfAxis::Range(range)) if range.step() == 1 => {
                return steps.iter_mut().for_each(|step| step.to += range.start());
            }
            Some(places) => places,
        };
        let mut moved: Vec<Step> = Vec::with_capacity(steps.len());
        for &step in steps.iter() {
            let mut done = 0;
            while done < step.len {
                let (to, len) = places.next(step.to + done, step.len - done);
                moved.push(Step {
                    from: step.from.wrapping_add_signed(step.step * done as isize),
                    to,
                    len,
                    ..step
                });
                done += len;
            }
        }
        *steps = moved;
    }
}

impl OfAxis<'_> {
    /// Returns the place of `position`, and how many positions from there on, at most `most`, have neighbouring places.
    fn next(&self, position: usize, most: usize) -> (usize, usize) {
        match self {
            OfAxis::Range(range) => match range.step() {
                1 => (range.position(position), most),
                _ => (range.position(position), 1),
            },
            OfAxis::Singles(AxisPositions::Narrow(places)) => {
                next(|at| places[at] as usize, position, most)
            }
            OfAxis::Singles(AxisPositions::Singles(places)) => {
                next(|at| places[at], position, most)
            }
            OfAxis::Runs(AxisPositions::Runs(runs), begins) => {
                let at = begins.partition_point(|&begin| begin <= position) - 1;
                let AxisRun { start, step, len } = runs[at];
                let inside = position - begins[at];
                let place = start.wrapping_add_signed(step * inside as isize);
                match step {
                    1 => (place, most.min(len - inside)),
                    _ => (place, 1),
                }
            }
            _ => unreachable!("`Singles` holds single positions, and `Runs` holds runs"),
        }
    }
}

fn next(place: impl Fn(usize) -> usize, position: usize, most: usize) -> (usize, usize) {
    let first = place(position);
    let mut len = 1;
    while len < most && place(position + len) == first + len {
        len += 1;
    }
    (first, len)
}
