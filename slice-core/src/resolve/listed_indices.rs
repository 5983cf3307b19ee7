//! An iterator over the elements of a selection with lists, as offsets into a flat buffer.

use smallvec::SmallVec;

use crate::resolve::axis::AxisRange;
use crate::resolve::layout::c_strides;
use crate::resolve::runs::Cut;
use crate::resolve::selection::Selection;
use crate::resolve::step::ResolvedStep;

/// An iterator over the flat input offsets of the elements of a selection with lists.
#[derive(Clone, Debug)]
pub(super) struct ListedIndices<'a> {
    axes: SmallVec<[AxisCursor<'a>; 4]>,
    /// The sum of the offsets on the dropped axes.
    offset: usize,
    remaining: usize,
}

/// An axis of the output, and the next position on this axis.
#[derive(Clone, Debug)]
struct AxisCursor<'a> {
    positions: CursorPositions<'a>,
    len: usize,
    stride: usize,
    /// The number of positions that have already been returned.
    returned: usize,
    /// If the positions are runs: the index of the current run, and the number of positions in this run that have
    /// already been returned.
    run: (usize, usize),
}

#[derive(Clone, Copy, Debug)]
enum CursorPositions<'a> {
    Range(AxisRange),
    List(Cut<'a>),
}

impl AxisCursor<'_> {
    fn offset(&self) -> usize {
        let position = match self.positions {
            CursorPositions::Range(range) => range.position(self.returned),
            CursorPositions::List(Cut::Singles(singles)) => singles.position(self.returned),
            CursorPositions::List(Cut::Runs(runs)) => runs[self.run.0].position(self.run.1),
        };
        position.wrapping_mul(self.stride)
    }

    /// Moves to the next position and returns `true`. After the last position, moves to the first position and returns
    /// `false`.
    fn step(&mut self) -> bool {
        self.returned += 1;
        if self.returned == self.len {
            (self.returned, self.run) = (0, (0, 0));
            return false;
        }
        if let CursorPositions::List(Cut::Runs(runs)) = self.positions {
            self.run.1 += 1;
            if self.run.1 == runs[self.run.0].len {
                self.run = (self.run.0 + 1, 0);
            }
        }
        true
    }
}

impl<'a> ListedIndices<'a> {
    pub(super) fn new(selection: &'a Selection) -> Self {
        let strides = c_strides(selection.input_shape());
        let mut strides = strides.iter().map(|stride| stride.cast_unsigned());
        let (mut axes, mut offset) = (SmallVec::new(), 0_usize);
        for step in selection.resolved_steps() {
            // The positions of several joined axes count along the last of them.
            let stride = strides.by_ref().take(step.input_axes()).last().unwrap_or(0);
            let (positions, len) = match step {
                ResolvedStep::Drop(position) => {
                    offset = offset.wrapping_add(position.wrapping_mul(stride));
                    continue;
                }
                // A new axis has stride 0.
                ResolvedStep::Insert { len } => {
                    (CursorPositions::Range(AxisRange::whole(len)), len)
                }
                ResolvedStep::Keep(range) => (CursorPositions::Range(range), range.len()),
                ResolvedStep::List(list) => {
                    (CursorPositions::List(list.list().cut()), list.list().len())
                }
            };
            axes.push(AxisCursor {
                positions,
                len,
                stride,
                returned: 0,
                run: (0, 0),
            });
        }
        ListedIndices {
            axes,
            offset,
            remaining: selection.len(),
        }
    }
}

impl Iterator for ListedIndices<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        let offsets = self.axes.iter().map(AxisCursor::offset);
        let offset = offsets.fold(self.offset, usize::wrapping_add);
        for axis in self.axes.iter_mut().rev() {
            if axis.step() {
                break;
            }
        }
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for ListedIndices<'_> {}
