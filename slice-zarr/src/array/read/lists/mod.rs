//! Copies the elements selected by lists from a chunk to the output.
//!
//! With lists, the elements of a chunk may belong to any rows of the output, and need not fill a block. The output is
//! therefore split into [`bands`], and a worker locks one band at a time while it copies elements to that band.
//!
//! The bytes that a read fetches from a chunk form an array, the *fetched array*. Its elements are copied as *units*:
//! whole elements, or the integers of which an element consists.

pub(crate) mod bands;
pub(crate) mod copy;
pub(crate) mod output_positions;

use slice_core::{AxisPositions, OutputAxis};

use crate::Dims;
use crate::array::read::runs::{index_of, indices_of};
use crate::chunks::axis::AxisPart;
use crate::chunks::grouped::Move;
use crate::chunks::part::ChunkPart;

/// The maximum number of moves on an axis that are processed at a time.
const MAX_MOVES_AT_ONCE: usize = 512;

/// The source of the elements along one axis of the output.
#[derive(Debug)]
enum AxisSource<'t> {
    /// An axis of the chunk: the selected positions, the positions that are in the fetched array unless it has all of them,
    /// and the stride of the fetched array on this axis, in units.
    Selected(&'t AxisPart<'t>, Option<&'t AxisPositions>, usize),
    /// A new axis, with stride 0, or the axis of the units of an element, with stride 1: its length and its stride.
    Repeated(usize, usize),
}

/// Elements in C order, and the selection from them.
pub(crate) struct Source<'t, U> {
    pub(crate) units: &'t [U],
    offset: usize,
    axes: Dims<AxisSource<'t>>,
}

impl<'t, U> Source<'t, U> {
    /// Creates the source for the fetched elements of a chunk, which form an array with one axis for each axis of the plan.
    /// `strides` are the strides of this array, in units. If they are 0, the first element is copied to all output
    /// positions. If the output has an axis for the units of an element, `units_per_element` is its length.
    pub(crate) fn new(
        units: &'t [U],
        strides: &[usize],
        selected: &'t ChunkPart<'_>,
        fetched: &'t [AxisPositions],
        units_per_element: Option<usize>,
    ) -> Self {
        let (mut axes, mut kept) = (Dims::new(), Dims::from_elem(false, strides.len()));
        for &origin in selected.plan.orthogonal().output_axes() {
            axes.push(match origin {
                OutputAxis::New { len } => AxisSource::Repeated(len, 0),
                OutputAxis::Input(axis) => {
                    kept[axis] = true;
                    AxisSource::Selected(&selected.axes[axis], fetched.get(axis), strides[axis])
                }
            });
        }
        axes.extend(units_per_element.map(|units| AxisSource::Repeated(units, 1)));
        let dropped = (0..strides.len()).filter(|&axis| !kept[axis]);
        let dropped = dropped.map(|axis| {
            let mut first = Vec::with_capacity(1);
            AxisSource::Selected(&selected.axes[axis], fetched.get(axis), strides[axis])
                .runs(0, &mut first);
            first[0].from
        });
        Source {
            units,
            offset: dropped.sum(),
            axes,
        }
    }
}

impl AxisSource<'_> {
    /// Returns the number of moves.
    fn len(&self) -> usize {
        match self {
            AxisSource::Selected(part, ..) => part.move_count(),
            AxisSource::Repeated(..) => 1,
        }
    }

    /// Replaces `runs` with the runs of at most [`MAX_MOVES_AT_ONCE`] moves, beginning with move `begin`. A run is a move
    /// whose position and step are counted in units of the fetched array. A run that continues the previous run is merged
    /// with it.
    fn runs(&self, begin: usize, runs: &mut Vec<Move>) {
        runs.clear();
        let (part, fetched, stride) = match *self {
            AxisSource::Selected(part, fetched, stride) => (part, fetched, stride),
            AxisSource::Repeated(len, distance) => {
                return runs.push(Move {
                    from: 0,
                    step: distance as isize,
                    to: 0,
                    len,
                });
            }
        };
        let mut push = |from: usize, step: isize, to: usize, len: usize| {
            let next = Move {
                from: from * stride,
                step: step * stride as isize,
                to,
                len,
            };
            match runs.last_mut() {
                Some(last) if is_continued(last, &next, stride) => {
                    last.len += len;
                    last.step = stride as isize;
                }
                _ => runs.push(next),
            }
        };
        for number in begin..part.move_count().min(begin + MAX_MOVES_AT_ONCE) {
            let list_move = part.nth_move(number);
            let (positions, to) = (list_move.positions(), list_move.to);
            let indices = match fetched {
                None => Some(positions),
                Some(fetched) => indices_of(fetched, positions),
            };
            if let Some(indices) = indices {
                push(indices.start(), indices.step(), to, indices.len());
                continue;
            }
            for (position, to) in positions.positions().zip(to..) {
                let index = fetched.map_or(position, |fetched| index_of(fetched, position));
                push(index, 1, to, 1);
            }
        }
    }
}

/// Returns `true` if the next run continues a run in both the chunk and the output.
fn is_continued(run: &Move, next: &Move, stride: usize) -> bool {
    let is_contiguous = |run: &Move| run.len == 1 || run.step == stride as isize;
    is_contiguous(run)
        && is_contiguous(next)
        && run.from + run.len * stride == next.from
        && run.to + run.len == next.to
}
