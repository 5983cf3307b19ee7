//! Visits the elements of a selection with lists, in output order. The input may have any strides.

use alloc::boxed::Box;
use core::ops::Deref;

use smallvec::SmallVec;

#[cfg(doc)]
use super::super::elements::Elements;
use super::super::elements::RowOffsets;
use crate::resolve::axis::AxisRange;
use crate::resolve::positions::AxisPositions;
use crate::resolve::positions::form::{Cut, Form, Run, Single as _, with_cut};
use crate::resolve::selection::{PerAxis, Selection};
use crate::resolve::step::ResolvedStep;
use crate::resolve::strided::StridedAxis;

/// The positions of a list, or offsets that were computed from them.
pub(super) enum Positions<'a> {
    Listed(&'a AxisPositions),
    Computed(Box<AxisPositions>),
}

impl Deref for Positions<'_> {
    type Target = AxisPositions;

    fn deref(&self) -> &AxisPositions {
        match self {
            Positions::Listed(positions) => positions,
            Positions::Computed(positions) => positions,
        }
    }
}

/// A loop over the positions of an axis before the last list.
enum Loop<'a> {
    Strided(StridedAxis),
    Listed(Positions<'a>, isize),
    /// A new axis of this length.
    Repeated(usize),
}

/// Nested loops over the selected elements. The outer loops visit the combinations of positions on the outer axes, the
/// next loop visits the runs of the last list, and the inner loops visit the elements of the inner axes at each
/// position.
pub(crate) struct LoopPlan<'a> {
    /// The offset that the first element would have if each list selected only position 0 of its axis.
    offset: usize,
    outer: SmallVec<[Loop<'a>; 4]>,
    /// The last list, and the stride of its axis, for the loop between the outer and the inner loops. If there is no list, or if
    /// a repeated new axis follows it, a run takes its place.
    pub(super) last: (Positions<'a>, isize),
    /// The axes after the last list, merged. No axis has length 1.
    pub(super) inner: PerAxis<StridedAxis>,
    len: usize,
}

/// Returns the positions of joined axes as offsets, for an array in which the axes are not contiguous to each other, beginning
/// with the element that comes first in memory. Also returns the distance from the element at position 0 of each axis to that
/// element.
fn joined_offsets(
    list: &AxisPositions,
    sizes: &[usize],
    strides: &[isize],
) -> (isize, AxisPositions) {
    let axes = sizes.iter().zip(strides);
    let lowest = axes.clone().map(|(&size, &stride)| {
        stride
            .min(0)
            .wrapping_mul(size.wrapping_sub(1).cast_signed())
    });
    let first = lowest.fold(0, isize::wrapping_add);
    let offset = |mut position: usize| {
        let mut offset = first.wrapping_neg();
        for (&size, &stride) in axes.clone().rev() {
            offset = offset.wrapping_add(((position % size) as isize).wrapping_mul(stride));
            position /= size;
        }
        offset.cast_unsigned()
    };
    let positions = list.to_vec().into_iter().map(offset).collect();
    (first, AxisPositions(Form::Wide(positions)))
}

/// Returns `true` if positions of these axes, in C order, are at a constant distance from each other.
fn are_contiguous(sizes: &[usize], strides: &[isize]) -> bool {
    let axes = strides.iter().zip(&strides[1.min(strides.len())..]);
    let mut axes = axes.zip(sizes.get(1..).unwrap_or(&[]));
    axes.all(|((&outer, &inner), &size)| outer == inner.wrapping_mul(size.cast_signed()))
}

impl<'a> LoopPlan<'a> {
    /// Returns the plan for an input whose first element is at `offset`, and whose axes have the strides `strides`.
    pub(crate) fn new(selection: &'a Selection, mut offset: usize, strides: &[isize]) -> Self {
        let mut axis = 0;
        let mut loops = SmallVec::<[Loop<'a>; 4]>::new();
        for step in selection.resolved_steps() {
            let axes = axis..axis + step.input_axes();
            axis = axes.end;
            // The positions of several joined axes count along the last of them. A new axis has stride 0.
            let stride = strides[axes.clone()].last().copied().unwrap_or(0);
            let range = match step {
                ResolvedStep::Insert { len: 1 } => continue,
                ResolvedStep::Insert { len } => {
                    loops.push(Loop::Repeated(len));
                    continue;
                }
                ResolvedStep::List(list) => {
                    let (sizes, strides) = (&selection.input_shape()[axes.clone()], &strides[axes]);
                    let mut positions = (Positions::Listed(list.positions()), stride);
                    if !are_contiguous(sizes, strides) {
                        let (first, offsets) = joined_offsets(list.positions(), sizes, strides);
                        offset = offset.wrapping_add_signed(first);
                        positions = (Positions::Computed(offsets.into()), 1);
                    }
                    loops.push(Loop::Listed(positions.0, positions.1));
                    continue;
                }
                ResolvedStep::Keep(range) => range,
                ResolvedStep::Drop(position) => AxisRange::single(position),
            };
            let (first, axis) = range.strided(stride);
            offset = offset.wrapping_add_signed(first);
            if axis.len == 1 {
                continue;
            }
            if let Some(Loop::Strided(before)) = loops.last_mut()
                && let Some(merged) = before.merge(axis)
            {
                *before = merged;
            } else {
                loops.push(Loop::Strided(axis));
            }
        }
        let mut inner = PerAxis::<StridedAxis>::new();
        let run = |range| {
            let run = AxisPositions(Form::Range(Run::first(range)));
            (Positions::Computed(run.into()), 1)
        };
        let mut last = None;
        while let Some(axis) = loops.pop() {
            match axis {
                Loop::Strided(axis) => {
                    inner.push(axis);
                    continue;
                }
                Loop::Listed(list, stride) => last = Some((list, stride)),
                Loop::Repeated(len) => last = Some(run(AxisRange::new(0, 0, len))),
            }
            break;
        }
        inner.reverse();
        LoopPlan {
            offset,
            outer: loops,
            last: last.unwrap_or_else(|| run(AxisRange::single(0))),
            inner,
            len: selection.len(),
        }
    }

    /// Returns the positions of the last list, and the stride of its axis.
    pub(super) fn cut(&self) -> (Cut<'_>, isize) {
        (self.last.0.cut(), self.last.1)
    }

    /// Returns the number of visited elements.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Calls `block(offset)` for each combination of positions on the outer axes.
    #[inline(always)]
    pub(super) fn each_block(&self, mut block: impl FnMut(usize)) {
        if self.len > 0 {
            each_outer(&self.outer, self.offset, &mut block);
        }
    }

    /// Calls `block(offset, rows)` for each combination of positions on the outer axes. If the last outer axis is
    /// strided, it is passed as `rows`, and its positions are not part of the combinations. Otherwise, `rows` is a
    /// single row.
    #[inline(always)]
    pub(super) fn each_table(&self, mut block: impl FnMut(usize, StridedAxis)) {
        let (outer, rows) = match self.outer.as_slice() {
            [outer @ .., Loop::Strided(rows)] => (outer, *rows),
            outer => (outer, StridedAxis { len: 1, stride: 0 }),
        };
        if self.len > 0 {
            each_outer(outer, self.offset, &mut |offset| block(offset, rows));
        }
    }

    /// Implements [`each_row`](Elements::each_row).
    #[inline(always)]
    pub(super) fn rows(&self, mut row: impl FnMut(RowOffsets)) {
        let ((last, stride), inner) = (self.cut(), self.inner.as_slice());
        // There is one closure, because the loops over the outer axes are compiled for each closure.
        self.each_block(|offset| {
            with_cut!(
                last,
                singles => for &single in singles {
                    let offset = position_offset(offset, single.position(), stride);
                    each_inner(inner, offset, &mut row);
                },
                runs => for run in runs {
                    each_row_of_run(run.range, stride, inner, offset, &mut row);
                },
            );
        });
    }
}

#[inline(always)]
fn each_row_of_run(
    run: AxisRange,
    stride: isize,
    inner: &[StridedAxis],
    offset: usize,
    row: &mut impl FnMut(RowOffsets),
) {
    if inner.is_empty() {
        return row(RowOffsets {
            offset: position_offset(offset, run.start, stride),
            stride: stride.wrapping_mul(run.step).cast_unsigned(),
            left: run.len,
        });
    }
    for position in run.positions() {
        each_inner(inner, position_offset(offset, position, stride), row);
    }
}

/// Returns the offset of a position on an axis that begins at `offset`.
#[inline(always)]
pub(super) fn position_offset(offset: usize, position: usize, stride: isize) -> usize {
    offset.wrapping_add(position.wrapping_mul(stride.cast_unsigned()))
}

fn each_outer(axes: &[Loop<'_>], offset: usize, block: &mut impl FnMut(usize)) {
    let Some((axis, axes)) = axes.split_first() else {
        return block(offset);
    };
    match *axis {
        Loop::Strided(StridedAxis { len, stride }) => {
            (0..len).for_each(|k| each_outer(axes, position_offset(offset, k, stride), block));
        }
        Loop::Repeated(len) => (0..len).for_each(|_| each_outer(axes, offset, block)),
        Loop::Listed(ref list, stride) => with_cut!(
            list.cut(),
            singles => for &single in singles {
                each_outer(axes, position_offset(offset, single.position(), stride), block);
            },
            runs => {
                let offsets = runs.iter().flat_map(|run| run.range.positions());
                let offsets = offsets.map(|k| position_offset(offset, k, stride));
                offsets.for_each(|offset| each_outer(axes, offset, block));
            },
        ),
    }
}

/// Calls `row` for each row along the last of `axes`, starting at `offset`.
#[inline]
pub(super) fn each_inner(axes: &[StridedAxis], offset: usize, row: &mut impl FnMut(RowOffsets)) {
    match axes {
        [] => row(RowOffsets {
            offset,
            stride: 0,
            left: 1,
        }),
        &[StridedAxis { len, stride }] => row(RowOffsets {
            offset,
            stride: stride.cast_unsigned(),
            left: len,
        }),
        &[StridedAxis { len, stride }, ref axes @ ..] => {
            (0..len).for_each(|k| each_inner(axes, position_offset(offset, k, stride), row));
        }
    }
}
