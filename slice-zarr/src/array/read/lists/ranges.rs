//! Finds the bytes that lists select from an uncompressed chunk.

use std::ops::Range;

use super::PositionMap;
use crate::Dims;
use crate::chunks::axis::AxisPart;
use crate::chunks::part::{SelectedPositions, sorted_distinct};

/// The byte ranges requested from an uncompressed chunk for a selection with lists. Together, the requested elements
/// form an array.
pub(crate) struct ListRuns {
    /// The offset in the object at which a range for position 0 on each axis of `outer` would begin.
    base: u64,
    /// The axes that are requested position by position, beginning with the last one, each with its stride in bytes.
    outer: Dims<(usize, u64)>,
    /// The number of bytes of each range.
    len: u64,
    /// The shape of the array that the ranges form.
    pub(crate) shape: Vec<usize>,
    /// For each axis, the map from positions of the chunk to positions of this array. On an axis of `outer`, the map is
    /// the list of the requested positions.
    pub(crate) maps: Vec<PositionMap>,
}

/// The lowest and the highest selected position on an axis, and the largest distance between neighboring selected
/// positions.
struct Span {
    low: usize,
    high: usize,
    max_distance: usize,
}

impl Span {
    fn new(part: &AxisPart<'_>, sorted: &[usize]) -> Self {
        if let AxisPart::Range(segment) = part {
            let range = segment.positions.ascending();
            return Span {
                low: range.start(),
                high: range.position(range.len() - 1),
                max_distance: range.step().unsigned_abs(),
            };
        }
        let max_distance = sorted.windows(2).map(|pair| pair[1] - pair[0]).max();
        Span {
            low: sorted.first().copied().unwrap_or(0),
            high: sorted.last().copied().unwrap_or(0),
            max_distance: max_distance.unwrap_or(0),
        }
    }
}

impl ListRuns {
    /// Plans the ranges to request from a chunk that begins at offset `base` of its object. Merges the positions of an
    /// axis if at most `gap` unused bytes lie between any two neighbors. `shape` is the shape of a chunk. Returns `None` if the whole chunk is to be
    /// requested.
    pub(crate) fn new(
        selected: &SelectedPositions<'_>,
        shape: &[usize],
        base: u64,
        item_size: usize,
        gap: u64,
    ) -> Option<Self> {
        let shape = &*selected.plan.merged(shape);
        let listed = selected.axes.iter().map(|part| match part {
            AxisPart::Range(_) => Vec::new(),
            AxisPart::Listed { .. } => sorted_distinct(part),
        });
        let mut listed: Vec<Vec<usize>> = listed.collect();
        let spans = selected.axes.iter().zip(&listed);
        let spans: Vec<Span> = spans.map(|(part, list)| Span::new(part, list)).collect();
        // The outermost axis on which all positions from the first to the last selected one are requested. Later axes
        // are requested in full.
        let mut joined = shape.len();
        let (mut stride, mut used) = (item_size as u128, item_size as u128);
        for (axis, span) in spans.iter().enumerate().rev() {
            if span.high > span.low {
                let step = stride * span.max_distance as u128;
                if step - used.min(step) > u128::from(gap) {
                    break;
                }
                used += stride * (span.high - span.low) as u128;
                joined = axis;
            }
            stride *= shape[axis] as u128;
        }
        let (mut requested, mut maps, mut outer) = (Vec::new(), Vec::new(), Dims::new());
        let (mut stride, mut len, mut start) = (item_size as u64, item_size as u64, base);
        for (axis, Span { low, high, .. }) in spans.into_iter().enumerate().rev() {
            if axis > joined {
                len = stride * shape[axis] as u64;
                requested.push(shape[axis]);
                maps.push(PositionMap::Same);
            } else if axis == joined {
                start += low as u64 * stride;
                len = stride * (high - low + 1) as u64;
                requested.push(high - low + 1);
                maps.push(PositionMap::Minus(low));
            } else {
                let positions = match &selected.axes[axis] {
                    part @ AxisPart::Range(_) => sorted_distinct(part),
                    AxisPart::Listed { .. } => std::mem::take(&mut listed[axis]),
                };
                requested.push(positions.len());
                maps.push(PositionMap::Listed(positions));
                outer.push((axis, stride));
            }
            stride *= shape[axis] as u64;
        }
        requested.reverse();
        maps.reverse();
        (requested != shape).then_some(ListRuns {
            base: start,
            outer,
            len,
            shape: requested,
            maps,
        })
    }

    /// Returns the memory, in bytes, held by the lists of positions.
    pub(crate) fn list_bytes(&self) -> u64 {
        let lists = self
            .outer
            .iter()
            .map(|&(axis, _)| size_of_val(self.positions(axis)));
        lists.sum::<usize>() as u64
    }

    /// Returns the requested positions on an axis of `outer`.
    fn positions(&self, axis: usize) -> &[usize] {
        match &self.maps[axis] {
            PositionMap::Listed(positions) => positions,
            PositionMap::Same | PositionMap::Minus(_) => &[],
        }
    }

    /// Returns the byte ranges in the object, in ascending order.
    pub(crate) fn ranges(&self) -> Ranges<'_> {
        let lens = self
            .outer
            .iter()
            .map(|&(axis, _)| self.positions(axis).len());
        Ranges {
            runs: self,
            indices: Dims::from_elem(0, self.outer.len()),
            remaining: lens.product(),
        }
    }
}

/// An iterator over byte ranges, returned by [`ListRuns::ranges`].
pub(crate) struct Ranges<'r> {
    runs: &'r ListRuns,
    /// For each axis of `outer`, the index of the next position in the list of positions.
    indices: Dims,
    remaining: usize,
}

impl Iterator for Ranges<'_> {
    type Item = Range<u64>;

    fn next(&mut self) -> Option<Range<u64>> {
        self.remaining = self.remaining.checked_sub(1)?;
        let mut start = self.runs.base;
        for (&(axis, stride), &index) in self.runs.outer.iter().zip(&self.indices) {
            start += self.runs.positions(axis)[index] as u64 * stride;
        }
        for (index, &(axis, _)) in self.indices.iter_mut().zip(&self.runs.outer) {
            *index += 1;
            if *index < self.runs.positions(axis).len() {
                break;
            }
            *index = 0;
        }
        Some(start..start + self.runs.len)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.remaining, Some(self.remaining))
    }
}

impl ExactSizeIterator for Ranges<'_> {}
