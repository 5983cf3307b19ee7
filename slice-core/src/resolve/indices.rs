//! Iteration over the selected elements, as offsets into a flat buffer.

use alloc::vec::Vec;
use core::iter::FusedIterator;

use crate::resolve::axis::AxisRange;
use crate::resolve::layout::c_strides;
use crate::resolve::positions::form::Cut;
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::step::ResolvedStep;
use crate::resolve::strided::StridedAxis;

/// An iterator over the flat input offsets of the selected elements, returned by [`Selection::indices`].
///
/// # Example
///
/// ```
/// use slice_core::{Indices, s};
///
/// let selection = s![::-2].resolve(&[5])?;
/// let mut indices: Indices<'_> = selection.indices();
/// assert_eq!((indices.len(), indices.next()), (3, Some(4)));
/// assert_eq!(indices.collect::<Vec<_>>(), [2, 0]);
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Indices<'a> {
    axes: PerAxis<AxisCursor>,
    lists: Vec<ListCursor<'a>>,
    offset: usize,
    remaining: usize,
}

/// An axis of the output: the current run of positions on it, with the number of positions, the stride in the input, and the
/// index of the next position. An axis without a list has a single run. `list` is the index of its list, or [`NO_LIST`].
#[derive(Clone, Copy, Debug)]
struct AxisCursor {
    len: usize,
    stride: isize,
    next: usize,
    list: usize,
}

/// An index that no list has.
const NO_LIST: usize = usize::MAX;

/// The list of an axis.
#[derive(Clone, Debug)]
struct ListCursor<'a> {
    positions: Cut<'a>,
    len: usize,
    /// The stride of the axis in the input.
    stride: isize,
    /// The number of positions before the current run, and the offset of the first position of the run.
    begin: usize,
    first: isize,
}

impl Selection {
    /// Returns the offsets of the selected elements in a flat C-order buffer of the input, in output order.
    ///
    /// Python equivalent: `np.arange(x.size).reshape(x.shape)[spec].ravel()`, or, with lists, the same with
    /// `.oindex[spec]`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    ///
    /// let selection = s![:, ::-1].resolve(&[2, 3])?;
    /// assert_eq!(selection.indices().collect::<Vec<_>>(), [2, 1, 0, 5, 4, 3]);
    /// # Ok::<(), slice_core::SliceError>(())
    /// ```
    pub fn indices(&self) -> Indices<'_> {
        let mut indices = Indices {
            axes: PerAxis::new(),
            lists: Vec::new(),
            offset: 0,
            remaining: self.len(),
        };
        if self.is_empty() {
            return indices;
        }
        let strides = c_strides(self.input_shape());
        let mut strides = strides.iter().copied();
        for step in self.resolved_steps() {
            // The positions of several joined axes count along the last of them. A new axis has stride 0.
            let stride = strides.by_ref().take(step.input_axes()).last().unwrap_or(0);
            let mut list = NO_LIST;
            let range = match step {
                ResolvedStep::Keep(range) => range,
                ResolvedStep::Drop(position) => {
                    let (first, _) = AxisRange::single(position).strided(stride);
                    indices.offset = indices.offset.wrapping_add_signed(first);
                    continue;
                }
                ResolvedStep::Insert { len } => AxisRange::whole(len),
                ResolvedStep::List(listed) => {
                    let (positions, len) = (listed.positions().cut(), listed.positions().len());
                    let run = positions.run_from(0);
                    list = indices.lists.len();
                    indices.lists.push(ListCursor {
                        positions,
                        len,
                        stride,
                        begin: 0,
                        first: run.strided(stride).0,
                    });
                    run
                }
            };
            let (first, StridedAxis { len, stride }) = range.strided(stride);
            indices.offset = indices.offset.wrapping_add_signed(first);
            indices.axes.push(AxisCursor {
                len,
                stride,
                next: 0,
                list,
            });
        }
        indices
    }
}

impl Iterator for Indices<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        self.remaining = self.remaining.checked_sub(1)?;
        let offset = self.offset;
        for axis in self.axes.iter_mut().rev() {
            axis.next += 1;
            self.offset = self.offset.wrapping_add_signed(axis.stride);
            if axis.next < axis.len {
                break;
            }
            self.offset = self.offset.wrapping_add_signed(axis.rewind());
            if let Some(list) = self.lists.get_mut(axis.list) {
                self.offset = self.offset.wrapping_add_signed(list.next_run(axis));
                if list.begin > 0 {
                    break;
                }
            }
        }
        Some(offset)
    }

    /// Skips `n` offsets and returns the next one. The loop has at most one iteration for each axis.
    fn nth(&mut self, n: usize) -> Option<usize> {
        let Some(remaining) = self.remaining.checked_sub(n) else {
            self.remaining = 0;
            return None;
        };
        self.remaining = remaining;
        let mut carry = n;
        for axis in self.axes.iter_mut().rev() {
            if carry == 0 {
                break;
            }
            let list = self.lists.get_mut(axis.list);
            let all = list.as_ref().map(|list| (list.begin, list.len));
            let (begin, len) = all.unwrap_or((0, axis.len));
            // The sum cannot overflow, because neither term exceeds the number of elements, which fits in an `isize`.
            let sum = begin + axis.next + carry;
            carry = sum / len;
            let change = match list {
                None => {
                    let change = (sum % len).wrapping_sub(axis.next) as isize;
                    axis.next = sum % len;
                    axis.stride.wrapping_mul(change)
                }
                Some(list) => axis.rewind().wrapping_add(list.seek(sum % len, axis)),
            };
            self.offset = self.offset.wrapping_add_signed(change);
        }
        self.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }

    fn count(self) -> usize {
        self.len()
    }

    fn last(mut self) -> Option<usize> {
        self.nth(self.len().checked_sub(1)?)
    }
}

impl ExactSizeIterator for Indices<'_> {}

impl FusedIterator for Indices<'_> {}

impl AxisCursor {
    /// Moves to the first position of the run, and returns the change of the offset.
    fn rewind(&mut self) -> isize {
        let next = core::mem::take(&mut self.next) as isize;
        self.stride.wrapping_mul(next).wrapping_neg()
    }
}

impl ListCursor<'_> {
    /// Moves from the beginning of a run to the next run, or from the last run to the first. Returns the change of the offset.
    /// The function is not inlined, because a strided selection does not need it.
    #[inline(never)]
    fn next_run(&mut self, axis: &mut AxisCursor) -> isize {
        let end = self.begin + axis.len;
        self.seek(if end < self.len { end } else { 0 }, axis)
    }

    /// Moves from the beginning of a run to the position with the index `begin`, and returns the change of the offset.
    fn seek(&mut self, begin: usize, axis: &mut AxisCursor) -> isize {
        let run = self.positions.run_from(begin);
        let (first, StridedAxis { len, stride }) = run.strided(self.stride);
        (axis.len, axis.stride) = (len, stride);
        self.begin = begin;
        first.wrapping_sub(core::mem::replace(&mut self.first, first))
    }
}
