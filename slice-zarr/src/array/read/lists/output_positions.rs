//! Maps positions in a part of a read plan to positions in the output, which may be scattered.

use std::borrow::Cow;

use slice_core::{AxisPositions, ResolvedStep, Selection};

use crate::chunks::grouped::Move;

/// The output positions that a part fills, in ascending order on each axis. Axes whose positions are listed together are one
/// axis.
#[derive(Default)]
pub(crate) struct OutputPositions<'p>(Vec<Cow<'p, AxisPositions>>);

impl<'p> OutputPositions<'p> {
    /// Creates the output positions from `output`, the selection of the output that the part fills.
    pub(crate) fn new(output: &'p Selection) -> Self {
        let axes = output.resolved_steps().map(|step| match step {
            ResolvedStep::Keep(range) => Cow::Owned(range.into()),
            ResolvedStep::List(list) => Cow::Borrowed(list.positions()),
            ResolvedStep::Drop(_) | ResolvedStep::Insert { .. } => {
                unreachable!("a region keeps all axes of the output")
            }
        });
        OutputPositions(axes.collect())
    }

    /// Replaces the target positions of `runs`, which are positions in the part along an axis, with output positions.
    pub(super) fn replace(&self, axis: usize, runs: &mut Vec<Move>) {
        let Some(positions) = self.0.get(axis) else {
            return;
        };
        let mut output_runs: Vec<Move> = Vec::with_capacity(runs.len());
        for &run in runs.iter() {
            let mut offset = 0;
            while offset < run.len {
                let (to, len) = next(positions, run.to + offset, run.len - offset);
                output_runs.push(Move {
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

/// Returns the output position of `position`, and the number of consecutive positions, beginning with `position`,
/// whose output positions are also consecutive. This number is at most `max_len`.
fn next(positions: &AxisPositions, position: usize, max_len: usize) -> (usize, usize) {
    let consecutive = |position| {
        let run = positions.run_from(position);
        (run.start(), if run.step() == 1 { run.len() } else { 1 })
    };
    let (first, mut len) = consecutive(position);
    while len < max_len {
        let (start, more) = consecutive(position + len);
        if start != first + len {
            break;
        }
        len += more;
    }
    (first, len.min(max_len))
}
