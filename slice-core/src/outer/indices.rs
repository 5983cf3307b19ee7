//! An iterator over the elements of a selection with lists, as offsets into a flat buffer.

use core::iter::FusedIterator;

use smallvec::SmallVec;

use crate::outer::runs::{ListPositions, OuterAxis};
use crate::outer::selection::{OuterSelection, OuterStep};
use crate::resolve::axis::AxisRange;
use crate::resolve::layout::c_strides;

/// An iterator over the flat input offsets of the selected elements, returned by [`OuterSelection::indices`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct OuterIndices<'a> {
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
    List(&'a ListPositions),
    /// A new axis.
    Repeated,
}

impl AxisCursor<'_> {
    fn offset(&self) -> usize {
        let position = match self.positions {
            CursorPositions::Range(range) => range.position(self.returned),
            CursorPositions::List(ListPositions::Singles(singles)) => {
                singles.position(self.returned)
            }
            CursorPositions::List(ListPositions::Runs { runs, .. }) => {
                runs[self.run.0].position(self.run.1)
            }
            CursorPositions::Repeated => 0,
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
        if let CursorPositions::List(ListPositions::Runs { runs, .. }) = self.positions {
            self.run.1 += 1;
            if self.run.1 == runs[self.run.0].len {
                self.run = (self.run.0 + 1, 0);
            }
        }
        true
    }
}

impl OuterSelection {
    /// Returns the offsets of the selected elements in a flat C-order buffer of the input, in output order.
    ///
    /// Python equivalent: `np.arange(x.size).reshape(x.shape).oindex[spec].ravel()`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![[1, 0], [2, 2]].resolve(&[2, 3])?;
    /// assert_eq!(selection.indices().collect::<Vec<_>>(), [5, 5, 2, 2]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn indices(&self) -> OuterIndices<'_> {
        let strides = c_strides(self.input_shape());
        let mut strides = strides.iter().map(|stride| stride.cast_unsigned());
        let (mut axes, mut offset) = (SmallVec::new(), 0_usize);
        for step in self.steps() {
            let (positions, len, stride) = match step {
                OuterStep::Drop(position) => {
                    let distance = position.wrapping_mul(strides.next().unwrap_or(0));
                    offset = offset.wrapping_add(distance);
                    continue;
                }
                OuterStep::Insert { len } => (CursorPositions::Repeated, *len, 0),
                OuterStep::Keep(axis) => {
                    let positions = match axis {
                        OuterAxis::Range(range) => CursorPositions::Range(*range),
                        OuterAxis::List(list) => CursorPositions::List(list),
                    };
                    (positions, axis.len(), strides.next().unwrap_or(0))
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
        OuterIndices {
            axes,
            offset,
            remaining: self.len(),
        }
    }
}

impl Iterator for OuterIndices<'_> {
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

impl ExactSizeIterator for OuterIndices<'_> {}

impl FusedIterator for OuterIndices<'_> {}
