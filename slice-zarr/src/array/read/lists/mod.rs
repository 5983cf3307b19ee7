//! Copies the elements of a chunk that are selected by lists to the output.
//!
//! With lists, the elements of a chunk may belong to any row of the output, so they do not fill a block. The output is
//! therefore split into [bands](bands), and a worker locks one band at a time while it copies elements to that band.
//!
//! The bytes that a read fetches from a chunk form an array, the *fetched array*. Its elements are copied as *units*:
//! whole elements, or the integers of which an element consists.

pub(crate) mod bands;
pub(crate) mod copy;
pub(crate) mod places;
pub(crate) mod ranges;

use slice_core::OutputAxis;

use crate::Dims;
use crate::chunks::lists::axis::{AxisPart, Held};
use crate::chunks::lists::grouped::Move;
use crate::chunks::lists::part::Taken;

/// The maximum number of moves on an axis that are processed at a time. A [`Move`] consists of positions at a constant
/// step that are copied to neighbouring output positions.
const BLOCK: usize = 512;

/// Neighbouring positions on an axis of the output, and the elements of a chunk that are copied to them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The offset of the first element in the fetched array along this axis, in units.
    pub(crate) from: usize,
    /// The distance between neighbouring elements in the fetched array, in units.
    pub(crate) step: isize,
    /// The first position on the axis of the output.
    pub(crate) to: usize,
    pub(crate) len: usize,
}

/// A map from positions on an axis of a chunk to positions on the same axis of the fetched array.
#[derive(Clone, Debug)]
pub(crate) enum Map {
    Same,
    /// The position minus this number.
    Minus(usize),
    /// The index of the position in this ascending list.
    Only(Vec<usize>),
}

/// The source of an axis of the output.
#[derive(Debug)]
enum Along<'t> {
    /// An axis of the chunk: the selected positions, their positions in the fetched array, and the stride of this array
    /// in units.
    Taken(&'t AxisPart<'t>, &'t Map, usize),
    /// A new axis, with stride 0, or the axis of the units of an element, with stride 1: its length and its stride.
    Repeated(usize, usize),
}

/// Elements in C order, and the selection from them.
pub(crate) struct Source<'t, U> {
    pub(crate) units: &'t [U],
    offset: usize,
    axes: Dims<Along<'t>>,
}

impl<'t, U> Source<'t, U> {
    /// Creates the source for the fetched elements of a chunk, which form an array of shape `shape`. If the output has
    /// an axis for the units of an element, `per_item` is its length.
    pub(crate) fn new(
        units: &'t [U],
        shape: &[usize],
        taken: &'t Taken<'_>,
        maps: &'t [Map],
        per_item: Option<usize>,
    ) -> Self {
        let mut strides = Dims::from_elem(0, shape.len());
        let mut stride = per_item.unwrap_or(1);
        for (axis, &len) in shape.iter().enumerate().rev() {
            strides[axis] = stride;
            stride *= len;
        }
        Self::with_strides(units, &strides, taken, maps, per_item)
    }

    /// Creates the source for a single element that is copied to all output positions.
    pub(crate) fn of_one(
        units: &'t [U],
        taken: &'t Taken<'_>,
        maps: &'t [Map],
        per_item: Option<usize>,
    ) -> Self {
        let strides = Dims::from_elem(0, taken.axes.len());
        Self::with_strides(units, &strides, taken, maps, per_item)
    }

    fn with_strides(
        units: &'t [U],
        strides: &[usize],
        taken: &'t Taken<'_>,
        maps: &'t [Map],
        per_item: Option<usize>,
    ) -> Self {
        let (mut axes, mut kept) = (Dims::new(), Dims::from_elem(false, strides.len()));
        for origin in taken.plan.selection().output_axes() {
            axes.push(match origin {
                OutputAxis::New { len } => Along::Repeated(len, 0),
                OutputAxis::Input(axis) => {
                    kept[axis] = true;
                    Along::Taken(&taken.axes[axis], &maps[axis], strides[axis])
                }
            });
        }
        axes.extend(per_item.map(|units| Along::Repeated(units, 1)));
        let dropped = (0..strides.len()).filter(|&axis| !kept[axis]);
        let dropped = dropped.map(|axis| {
            let mut first = Vec::with_capacity(1);
            Along::Taken(&taken.axes[axis], &maps[axis], strides[axis]).steps(0, &mut first);
            first[0].from
        });
        Source {
            units,
            offset: dropped.sum(),
            axes,
        }
    }
}

impl Along<'_> {
    /// Returns the number of moves.
    fn len(&self) -> usize {
        match self {
            Along::Taken(part, ..) => part.len(),
            Along::Repeated(..) => 1,
        }
    }

    /// Replaces `steps` with the steps of at most [`BLOCK`] moves, beginning with move `begin`. Merges a step that
    /// continues the previous step.
    fn steps(&self, begin: usize, steps: &mut Vec<Step>) {
        steps.clear();
        let (part, map, stride) = match *self {
            Along::Taken(part, map, stride) => (part, map, stride),
            Along::Repeated(len, distance) => {
                return steps.push(Step {
                    from: 0,
                    step: distance as isize,
                    to: 0,
                    len,
                });
            }
        };
        let mut push = |from: usize, step: isize, to: usize, len: usize| {
            let next = Step {
                from: from * stride,
                step: step * stride as isize,
                to,
                len,
            };
            match steps.last_mut() {
                Some(last) if last.goes_on(&next, stride) => {
                    last.len += len;
                    last.step = stride as isize;
                }
                _ => steps.push(next),
            }
        };
        if let (Held::Range { range, begin }, Map::Only(_)) = (&part.held, map) {
            let (first, step) = match range.step() > 0 {
                true => (0, 1),
                false => (range.len() - 1, -1),
            };
            return push(first, step, *begin, range.len());
        }
        for at in begin..part.len().min(begin + BLOCK) {
            let Move {
                from,
                to,
                step,
                len,
            } = part.get(at);
            match map {
                Map::Same => push(from, step, to, len),
                Map::Minus(offset) => push(from - offset, step, to, len),
                Map::Only(positions) => {
                    for k in 0..len {
                        let position = from.wrapping_add_signed(step * k as isize);
                        let place = positions.partition_point(|&other| other < position);
                        push(place, 1, to + k, 1);
                    }
                }
            }
        }
    }
}

impl Step {
    /// Returns `true` if the next step continues this step in both the chunk and the output.
    fn goes_on(&self, next: &Step, stride: usize) -> bool {
        let of_neighbours = |step: &Step| step.len == 1 || step.step == stride as isize;
        of_neighbours(self)
            && of_neighbours(next)
            && self.from + self.len * stride == next.from
            && self.to + self.len == next.to
    }
}
