//! Maps positions in a part of a read plan to positions in the output, which may be scattered.

use std::borrow::Cow;

use slice_core::{AxisPositions, AxisRange, ResolvedStep, Selection};

use super::CopyRun;
use crate::chunks::grouped::Singles;
use crate::chunks::list_bytes;

/// The output positions that a part fills, on each axis. Axes whose positions are listed together are one axis.
#[derive(Default)]
pub(crate) struct OutputPositions<'p>(Vec<AxisOutputPositions<'p>>);

/// The output positions on an axis, one for each position of the part, in ascending order.
enum AxisOutputPositions<'p> {
    Range(AxisRange),
    Singles(Singles<'p>),
    /// Runs of output positions, with the number of positions before each run.
    Runs(Cow<'p, [AxisRange]>, Vec<usize>),
}

impl<'p> OutputPositions<'p> {
    /// Creates the output positions from `output`, the selection of the output that the part fills.
    pub(crate) fn new(output: &'p Selection) -> Self {
        let axes = output.resolved_steps().map(|step| match step {
            ResolvedStep::Keep(range) => AxisOutputPositions::Range(range),
            ResolvedStep::List(list) => match list.positions() {
                AxisPositions::Range(range) => AxisOutputPositions::Range(range),
                AxisPositions::Runs(runs) => {
                    let mut total = 0;
                    let begins = runs.iter().map(|run| {
                        total += run.len();
                        total - run.len()
                    });
                    let begins = begins.collect();
                    AxisOutputPositions::Runs(runs, begins)
                }
                singles => AxisOutputPositions::Singles(Singles::of(singles)),
            },
            ResolvedStep::Drop(_) | ResolvedStep::Insert { .. } => {
                unreachable!("a region keeps all axes of the output")
            }
        });
        OutputPositions(axes.collect())
    }

    /// Returns the memory, in bytes, held for the positions, including the lists of `output`.
    pub(crate) fn held_bytes(&self, output: &Selection) -> u64 {
        let begins = self.0.iter().map(|positions| match positions {
            AxisOutputPositions::Runs(_, begins) => size_of_val(&begins[..]) as u64,
            _ => 0,
        });
        list_bytes(output) + begins.sum::<u64>()
    }

    /// Replaces the target positions of `runs`, which are positions in the part along an axis, with output positions.
    pub(super) fn replace(&self, axis: usize, runs: &mut Vec<CopyRun>) {
        let positions = match self.0.get(axis) {
            None => return,
            Some(AxisOutputPositions::Range(range)) if range.step() == 1 => {
                return runs.iter_mut().for_each(|run| run.to += range.start());
            }
            Some(positions) => positions,
        };
        let mut output_runs: Vec<CopyRun> = Vec::with_capacity(runs.len());
        for &run in runs.iter() {
            let mut offset = 0;
            while offset < run.len {
                let (to, len) = positions.next(run.to + offset, run.len - offset);
                output_runs.push(CopyRun {
                    from: run.from.wrapping_add_signed(run.step * offset as isize),
                    to,
                    len,
                    ..run
                });
                offset += len;
            }
        }
        *runs = output_runs;
    }
}

impl AxisOutputPositions<'_> {
    /// Returns the output position of `position`, and the number of consecutive positions, beginning with `position`,
    /// whose output positions are also consecutive. This number is at most `max_len`.
    fn next(&self, position: usize, max_len: usize) -> (usize, usize) {
        match self {
            AxisOutputPositions::Range(range) => match range.step() {
                1 => (range.position(position), max_len),
                _ => (range.position(position), 1),
            },
            AxisOutputPositions::Singles(positions) => {
                let first = positions.get(position);
                let mut len = 1;
                while len < max_len && positions.get(position + len) == first + len {
                    len += 1;
                }
                (first, len)
            }
            AxisOutputPositions::Runs(runs, begins) => {
                let at = begins.partition_point(|&begin| begin <= position) - 1;
                let (run, index) = (runs[at], position - begins[at]);
                let output_position = run.position(index);
                match run.step() {
                    1 => (output_position, max_len.min(run.len() - index)),
                    _ => (output_position, 1),
                }
            }
        }
    }
}
