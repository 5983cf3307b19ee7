//! Finds the bytes that a selection needs from an uncompressed chunk.

use std::ops::Range;

use slice_core::{AxisPositions, AxisRange, Selection, SliceError};

use crate::Dims;
use crate::chunks::axis::AxisPart;
use crate::chunks::part::{ChunkPart, distinct};
use crate::chunks::range::Segment;

/// The byte ranges requested from an uncompressed chunk. Together, the requested elements form an array.
pub(crate) struct Runs {
    /// The offset of the first range in the object.
    start: u64,
    /// The number of bytes of each range.
    len: u64,
    /// The shape of the array that the ranges form.
    pub(crate) shape: Dims,
    /// The positions of the chunk that are in this array, in ascending order on each axis. Later axes are requested in full.
    pub(crate) positions: Dims<AxisPositions>,
    /// The strides in bytes of the axes that are requested position by position. They come first.
    strides: Dims<u64>,
}

fn first(positions: &AxisPositions) -> usize {
    positions.run_from(0).start()
}

fn last(positions: &AxisPositions) -> usize {
    positions.run_from(positions.len() - 1).start()
}

/// Returns the largest distance between neighboring positions, which must be in ascending order.
fn max_distance(positions: &AxisPositions) -> usize {
    let mut end = first(positions);
    let distances = positions.runs().map(|run| {
        let before = run.start() - end;
        end = run.position(run.len() - 1);
        before.max(run.step().unsigned_abs())
    });
    distances.max().unwrap_or(0)
}

/// Returns the indices of the positions of a run among `positions`, which are in ascending order and contain them, or `None`
/// if `positions` have no constant step.
pub(crate) fn indices_of(positions: &AxisPositions, run: AxisRange) -> Option<AxisRange> {
    let all = positions.run_from(0);
    let index = (run.start() - all.start()) / all.step().unsigned_abs();
    (all.len() == positions.len())
        .then(|| AxisRange::new(index, run.step() / all.step(), run.len()))
}

/// Returns the index of `position` among `positions`, which must be in ascending order and contain it.
pub(crate) fn index_of(positions: &AxisPositions, position: usize) -> usize {
    let (mut begin, mut end) = (0, positions.len());
    while begin < end {
        let middle = begin.midpoint(end);
        match positions.run_from(middle).start() < position {
            true => begin = middle + 1,
            false => end = middle,
        }
    }
    begin
}

impl Runs {
    /// Plans the ranges to request from a chunk of shape `shape` that begins at offset `base` of its object. Merges the
    /// positions of an axis if at most `gap` unused bytes lie between any two neighbors. Returns `None` if the whole chunk
    /// is to be requested.
    pub(crate) fn new(
        selected: &ChunkPart<'_>,
        shape: &[usize],
        base: u64,
        item_size: usize,
        gap: u64,
    ) -> Option<Self> {
        let shape = &*selected.plan.merged(shape);
        let selected: Dims<AxisPositions> = selected.axes.iter().map(distinct).collect();
        // The outermost axis on which all positions from the first to the last selected one are requested. Later axes
        // are requested in full.
        let mut spanned = shape.len();
        let (mut stride, mut used) = (item_size as u128, item_size as u128);
        for (axis, positions) in selected.iter().enumerate().rev() {
            if positions.len() > 1 {
                let step = stride * max_distance(positions) as u128;
                if step - used.min(step) > u128::from(gap) {
                    break;
                }
                used += stride * (last(positions) - first(positions)) as u128;
                spanned = axis;
            }
            stride *= shape[axis] as u128;
        }
        let (mut requested, mut fetched, mut strides) = (Dims::new(), Dims::new(), Dims::new());
        let (mut stride, mut len, mut start) = (item_size as u64, item_size as u64, base);
        for (axis, positions) in selected.into_iter().enumerate().rev() {
            if axis > spanned {
                len = stride * shape[axis] as u64;
                requested.push(shape[axis]);
            } else if axis == spanned {
                let (low, high) = (first(&positions), last(&positions));
                start += low as u64 * stride;
                len = stride * (high - low + 1) as u64;
                requested.push(high - low + 1);
                fetched.push(AxisRange::new(low, 1, high - low + 1).into());
            } else {
                start += first(&positions) as u64 * stride;
                requested.push(positions.len());
                fetched.push(positions);
                strides.push(stride);
            }
            stride *= shape[axis] as u64;
        }
        requested.reverse();
        fetched.reverse();
        strides.reverse();
        (requested[..] != *shape).then_some(Runs {
            start,
            len,
            shape: requested,
            positions: fetched,
            strides,
        })
    }

    /// Returns a bound on the memory, in bytes, held by lists of positions.
    pub(crate) fn list_bytes(&self) -> u64 {
        let lists = self.positions.iter().filter(|list| list.runs().len() > 1);
        lists.map(|list| 8 * list.len() as u64).sum()
    }

    /// Returns the byte ranges in the object, in ascending order.
    pub(crate) fn ranges(&self) -> impl ExactSizeIterator<Item = Range<u64>> + '_ {
        // The axes that are requested position by position, beginning with the last one.
        let strides = self.strides.iter().copied();
        let axes = self.positions.iter().zip(strides);
        let mut axes: Dims<(&AxisPositions, u64)> = axes.collect();
        axes.reverse();
        let mut indices: Dims = Dims::from_elem(0, axes.len());
        let count = axes.iter().map(|(positions, _)| positions.len()).product();
        let mut start = self.start;
        (0..count).map(move |_| {
            let range = start..start + self.len;
            for (index, (positions, stride)) in indices.iter_mut().zip(&axes) {
                let before = positions.run_from(*index).start();
                *index += 1;
                if *index < positions.len() {
                    start += (positions.run_from(*index).start() - before) as u64 * stride;
                    break;
                }
                start -= (before - first(positions)) as u64 * stride;
                *index = 0;
            }
            range
        })
    }
}

/// Returns the selection, from a fetched array of shape `shape`, of the positions `selected`, which are not given by lists.
/// The array contains the positions `fetched` of the chunk on its first axes, and all positions on later axes.
pub(crate) fn selection_in_fetched(
    selected: &ChunkPart<'_>,
    shape: &[usize],
    fetched: &[AxisPositions],
) -> Result<Selection, SliceError> {
    let axes = selected.axes.iter().enumerate().map(|(axis, part)| {
        let AxisPart::Range(Segment { positions, .. }) = part else {
            unreachable!("the positions should form a block");
        };
        match fetched.get(axis) {
            None => *positions,
            Some(fetched) => indices_of(fetched, *positions)
                .expect("the fetched positions should have a constant step"),
        }
    });
    Selection::from_axes(shape, axes, selected.plan.orthogonal().output_axes())
}
