//! Visits the elements of a selection with lists, in output order. The input may have any strides.

use smallvec::SmallVec;

use crate::outer::runs::{OuterAxis, Run, Runs};
use crate::outer::selection::{OuterSelection, OuterStep};
use crate::outer::singles::{Single as _, with_singles};
use crate::resolve::axis::AxisRange;
use crate::resolve::selection::Dims;
use crate::resolve::strided::Dim;

/// An axis before the last list.
#[derive(Clone, Copy)]
enum Outer<'a> {
    Strided(Dim),
    Listed(&'a Runs, isize),
    /// A new axis, whose single position is repeated this many times.
    Repeated(usize),
}

/// Nested loops over the selected elements. The outer loops visit the combinations of positions on the outer axes, the
/// next loop visits the runs of the last list, and the inner loops visit the elements of the inner axes at each
/// position.
pub(crate) struct OuterPlan<'a> {
    /// The offset of the first element if each list selected only position 0 of its axis.
    offset: usize,
    outer: SmallVec<[Outer<'a>; 4]>,
    /// The last list and the stride of its axis, or a run that takes its place.
    pub(super) last: Last<'a>,
    /// The axes after the last list, merged. No axis has length 1.
    pub(super) inner: Dims<Dim>,
    len: usize,
}

/// The last list, or the run that takes its place.
#[derive(Clone, Copy)]
pub(super) enum Last<'a> {
    Listed(&'a Runs, isize),
    /// Takes the place of the last list if there is no list, or if a repeated new axis comes after the last list.
    Run(Run),
}

/// An iterator over the offsets of elements at a constant distance.
#[derive(Clone, Copy)]
pub(crate) struct Row {
    place: usize,
    step: usize,
    left: usize,
}

impl Iterator for Row {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let place = self.place;
        // The sum wraps only after the last element.
        self.place = place.wrapping_add(self.step);
        Some(place)
    }

    #[inline(always)]
    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Row {}

impl<'a> OuterPlan<'a> {
    /// Returns the plan for an input whose first element is at `offset`, and whose axes have the strides `strides`.
    pub(crate) fn new(selection: &'a OuterSelection, mut offset: usize, strides: &[isize]) -> Self {
        let mut strides = strides.iter().copied();
        let mut found = SmallVec::<[Outer<'a>; 4]>::new();
        for step in selection.steps() {
            let range = match step {
                OuterStep::Insert { len: 1 } => continue,
                OuterStep::Insert { len } => {
                    found.push(Outer::Repeated(*len));
                    continue;
                }
                OuterStep::Keep(OuterAxis::Runs(runs)) => {
                    found.push(Outer::Listed(runs, strides.next().unwrap_or(0)));
                    continue;
                }
                OuterStep::Keep(OuterAxis::Range(range)) => *range,
                OuterStep::Drop(position) => AxisRange::single(*position),
            };
            let (first, dim) = range.strided(strides.next().unwrap_or(0));
            offset = offset.wrapping_add_signed(first);
            if dim.len == 1 {
                continue;
            }
            if let Some(Outer::Strided(before)) = found.last_mut()
                && let Some(merged) = before.merge(dim)
            {
                *before = merged;
            } else {
                found.push(Outer::Strided(dim));
            }
        }
        let mut inner = Dims::<Dim>::new();
        let mut last = Last::Run(Run {
            start: 0,
            step: 1,
            len: 1,
        });
        while let Some(axis) = found.pop() {
            match axis {
                Outer::Strided(dim) => inner.push(dim),
                Outer::Listed(runs, stride) => {
                    last = Last::Listed(runs, stride);
                    break;
                }
                Outer::Repeated(len) => {
                    last = Last::Run(Run {
                        start: 0,
                        step: 0,
                        len,
                    });
                    break;
                }
            }
        }
        inner.reverse();
        OuterPlan {
            offset,
            outer: found,
            last,
            inner,
            len: selection.len(),
        }
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
    pub(super) fn each_table(&self, mut block: impl FnMut(usize, Dim)) {
        let (outer, rows) = match self.outer.as_slice() {
            [outer @ .., Outer::Strided(rows)] => (outer, *rows),
            outer => (outer, Dim { len: 1, stride: 0 }),
        };
        if self.len > 0 {
            each_outer(outer, self.offset, &mut |offset| block(offset, rows));
        }
    }

    /// Calls `row` for each row of elements at a constant distance, in output order.
    #[inline(always)]
    pub(crate) fn each_row(&self, mut row: impl FnMut(Row)) {
        self.each_block(|offset| match (self.last, self.inner.as_slice()) {
            (Last::Listed(Runs::Singles(singles), stride), inner) => {
                with_singles!(singles, positions => for &position in positions {
                    each_inner(inner, moved(offset, position.position(), stride), &mut row);
                });
            }
            (Last::Listed(Runs::Runs { runs, .. }, stride), inner) => {
                for &run in runs {
                    each_of_run(run, stride, inner, offset, &mut row);
                }
            }
            (Last::Run(run), inner) => each_of_run(run, 1, inner, offset, &mut row),
        });
    }
}

#[inline(always)]
fn each_of_run(run: Run, stride: isize, inner: &[Dim], offset: usize, row: &mut impl FnMut(Row)) {
    if inner.is_empty() {
        return row(Row {
            place: moved(offset, run.start, stride),
            step: stride.wrapping_mul(run.step).cast_unsigned(),
            left: run.len,
        });
    }
    for position in run.positions() {
        each_inner(inner, moved(offset, position, stride), row);
    }
}

/// Returns the offset of a position on an axis that begins at `offset`.
#[inline(always)]
pub(super) fn moved(offset: usize, position: usize, stride: isize) -> usize {
    offset.wrapping_add(position.wrapping_mul(stride.cast_unsigned()))
}

fn each_outer(axes: &[Outer<'_>], offset: usize, block: &mut impl FnMut(usize)) {
    let Some((axis, axes)) = axes.split_first() else {
        return block(offset);
    };
    match *axis {
        Outer::Strided(Dim { len, stride }) => {
            (0..len).for_each(|k| each_outer(axes, moved(offset, k, stride), block));
        }
        Outer::Listed(Runs::Singles(singles), stride) => {
            with_singles!(singles, positions => for &position in positions {
                each_outer(axes, moved(offset, position.position(), stride), block);
            });
        }
        Outer::Listed(Runs::Runs { runs, .. }, stride) => {
            let places = runs.iter().flat_map(|run| run.positions());
            let places = places.map(|k| moved(offset, k, stride));
            places.for_each(|offset| each_outer(axes, offset, block));
        }
        Outer::Repeated(times) => (0..times).for_each(|_| each_outer(axes, offset, block)),
    }
}

/// Calls `row` for each row of the inner axes.
#[inline]
pub(super) fn each_inner(axes: &[Dim], offset: usize, row: &mut impl FnMut(Row)) {
    match axes {
        [] => row(Row {
            place: offset,
            step: 0,
            left: 1,
        }),
        &[Dim { len, stride }] => row(Row {
            place: offset,
            step: stride.cast_unsigned(),
            left: len,
        }),
        &[Dim { len, stride }, ref axes @ ..] => {
            (0..len).for_each(|k| each_inner(axes, moved(offset, k, stride), row));
        }
    }
}
