//! The *places* of a plan's elements: their positions in the whole result.
//!
//! If a plan with lists is split, each of the resulting plans keeps only the list positions that lie in the chunks that
//! it reads, or in chunks between them. It keeps these positions in the order of the result, and also contains their
//! places. If the plan is split along the axis of its only list, the resulting plans together contain about two numbers
//! for each position of the list (the position and its place). The original plan contains one number for each position.
//!
//! ```text
//! rows [70, 3, 41, 3], chunks of 32 rows, split in two:   rows [3, 3] have places [1, 3] of 4
//!                                                         rows [70, 41] have places [0, 2] of 4
//! ```

use alloc::collections::BTreeMap;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;

use slice_core::{OutputAxis, Selection, s};

use super::bounds::PartBounds;
use super::part::PlanPart;
use super::{Division, PlanError, ReadPlan};
use crate::Dims;
use crate::chunks::axes::Axes;
use crate::chunks::axis::TouchedChunks;
use crate::chunks::joined::ChunkedAxes;
use crate::chunks::list;

/// The maximum number of output chunks on an axis for which an array with one entry per chunk is allocated. If there
/// are more output chunks, a map with an entry for each filled chunk is used.
const MAX_INDEXED_CHUNKS: usize = 1 << 20;

/// Returns a selection that covers the entire output of `selection`.
pub(super) fn whole_output(selection: &Selection) -> Selection {
    let whole = s![...].resolve(selection.output_shape());
    whole.expect("the output shape of a selection should be valid")
}

/// Checks that `output` has one place for each selected position, in ascending order on each axis of the result, and
/// returns `output`. Otherwise returns [`PlanError::Places`].
pub(super) fn check_places(
    output: Selection,
    selection: &Selection,
) -> Result<Selection, PlanError> {
    output
        .output_axes()
        .iter()
        .enumerate()
        .try_for_each(|(axis, &origin)| {
            let places = match origin {
                OutputAxis::Input(input) if input == axis => output.axis(axis),
                _ => return Err(PlanError::Places { axis }),
            };
            let mut last = None;
            let ascending = places.runs().all(|run| {
                let last = last.replace(run.position(run.len() - 1));
                run.step() > 0 && last.is_none_or(|last| last < run.start())
            });
            let fits = selection.output_shape().get(axis) == Some(&places.len());
            match ascending && fits {
                true => Ok(()),
                false => Err(PlanError::Places { axis }),
            }
        })?;
    match output.output_shape() == selection.output_shape() {
        true => Ok(output),
        false => Err(PlanError::Places {
            axis: output.output_shape().len(),
        }),
    }
}

impl ReadPlan {
    /// Returns `true` if the plan's selection spans all of `axis` of the result. The places on this axis are then
    /// `0..len`.
    pub(super) fn is_whole_axis(&self, axis: usize) -> bool {
        self.orthogonal().output_shape()[axis] == self.merged_shape()[axis]
    }

    /// Returns `true` if a position in the bounds of a part may differ from its place on an axis of the result.
    ///
    /// On the axis of a list, bounds count the positions in the order of the chunks. On all other axes, they count the
    /// positions in the order of the result. Positions and places are equal if the plan's selection spans the axis and
    /// any list on the axis touches the chunks in ascending order. An axis that stands for several axes of the result also
    /// counts as scattered, because its elements are not in the order of an output's chunks.
    pub(super) fn is_scattered(&self, axis: usize) -> bool {
        let joined_axes = self.joined_axes();
        if joined_axes.is_some_and(|joined_axes| joined_axes.result_axes(axis).len() > 1) {
            return true;
        }
        let list = self.touched(axis).and_then(TouchedChunks::list);
        list.is_some_and(|list| !list.is_in_order()) || !self.is_whole_axis(axis)
    }

    /// Returns the axes of the result that belong to an axis of the plan, with the chunks of an output.
    pub(super) fn output_chunked_axes<'o>(
        &'o self,
        axis: usize,
        output_chunks: &'o [usize],
    ) -> ChunkedAxes<'o> {
        let joined_axes = self.joined_axes();
        let axes = joined_axes.map_or(axis..axis + 1, |joined_axes| joined_axes.result_axes(axis));
        let chunks = &output_chunks[axes.clone()];
        ChunkedAxes {
            sizes: &self.shape()[axes],
            chunks,
            units: chunks,
        }
    }

    /// Returns a plan that consists of `parts` of this plan. Each list in the returned plan contains only the positions
    /// that lie, along the list's axis, in the chunks that `parts` touch or in chunks between them.
    pub(super) fn with_parts(&self, parts: Vec<PartBounds>) -> Self {
        self.with_reduced_lists(&parts).unwrap_or_else(|| ReadPlan {
            array: self.array.clone(),
            axes: self.axes.clone(),
            output: self.output.clone(),
            parts,
        })
    }

    /// Implements [`with_parts`](Self::with_parts). Returns `None` if no list can be reduced.
    fn with_reduced_lists(&self, parts: &[PartBounds]) -> Option<Self> {
        let mut hull = PartBounds::whole(self.orthogonal().output_shape());
        for axis in 0..self.merged_shape().len() {
            if let Some(touched) = self.touched(axis)
                && (touched.list().is_some() || !self.is_whole_axis(axis))
            {
                hull.begin[axis] = parts.iter().map(|part| part.begin[axis]).min()?;
                hull.end[axis] = parts.iter().map(|part| part.end[axis]).max()?;
            }
        }
        if hull == PartBounds::whole(self.orthogonal().output_shape()) {
            return None;
        }
        let part = PlanPart::new(self, &hull);
        let (selection, output) = (part.orthogonal(), part.merged_output());
        let shapes = [&self.axes.chunk_shape, &self.axes.unit_shape].map(Dims::clone);
        let joined = self.axes.joined.clone();
        let axes = Axes::of_orthogonal::<PlanError>(joined, selection, shapes, &|| Ok(())).ok()?;
        let parts = parts.iter().map(|part| {
            let origins = self.orthogonal().output_axes().iter().enumerate();
            let ends = origins.map(|(axis, &origin)| {
                let first = hull.begin[axis];
                let (begin, end) = (part.begin[axis] - first, part.end[axis] - first);
                let OutputAxis::Input(input) = origin else {
                    return (begin, end);
                };
                match (self.axes.touched[input].list(), axes.selection.range(input)) {
                    // The list has become a descending range. For a list, bounds count positions in the order of the
                    // chunks; for a range, in the order of the result. The bounds are therefore mirrored.
                    (Some(_), Some(range)) if range.step() < 0 => {
                        (range.len() - end, range.len() - begin)
                    }
                    _ => (begin, end),
                }
            });
            let (begin, end) = ends.unzip();
            PartBounds { begin, end }
        });
        Some(ReadPlan {
            parts: parts.collect(),
            array: self.array.clone(),
            axes: Arc::new(axes),
            output: Arc::new(output),
        })
    }

    /// Calls `visit(chunk, place)` for each of the `positions` of an axis. `chunk` is the index of the position's chunk
    /// among the chunks touched by `positions`, and `place` is the position's place in the result. Returns the number
    /// of chunks touched by `positions`.
    fn for_each_place(
        &self,
        axis: usize,
        positions: Range<usize>,
        mut visit: impl FnMut(usize, usize),
    ) -> usize {
        let places = (!self.is_whole_axis(axis)).then(|| self.output.axis(axis));
        let mut place = |chunk, position: usize| match &places {
            Some(places) => visit(chunk, places.run_from(position).start()),
            None => visit(chunk, position),
        };
        let grouped = match self.orthogonal().output_axes()[axis] {
            OutputAxis::Input(input) => {
                let grouped = self.axes.touched[input].list();
                grouped.map(|grouped| (grouped, list(self.orthogonal(), input)))
            }
            OutputAxis::New { .. } => None,
        };
        let chunks = self.result_axis(axis, Division::Chunks);
        let first = chunks.chunks_before(positions.start);
        let last = chunks.chunks_before(positions.end);
        for chunk in first..last {
            let chunk_positions =
                chunks.positions_before(chunk)..chunks.positions_before(chunk + 1);
            match grouped {
                None => chunk_positions.for_each(|position| place(chunk - first, position)),
                Some((grouped, list)) => {
                    for run in grouped.moves(list, chunk_positions) {
                        (run.to..run.to + run.len)
                            .for_each(|position| place(chunk - first, position));
                    }
                }
            }
        }
        last - first
    }

    /// Returns the positions at which `positions` can be cut along an axis: the chunk boundaries of the array at which
    /// a cut does not divide an output chunk of `axes`. Both ends of `positions` are included.
    pub(super) fn cuts(
        &self,
        axis: usize,
        positions: Range<usize>,
        chunked: ChunkedAxes<'_>,
    ) -> Vec<usize> {
        // `indexed` and `others` contain, for each output chunk, the first and the last chunk of the array from which
        // it is filled.
        let count = chunked.chunk_count();
        let (mut indexed, mut others) = (Vec::new(), BTreeMap::new());
        if count <= MAX_INDEXED_CHUNKS {
            indexed.resize(count, None);
        }
        let chunks = self.for_each_place(axis, positions.clone(), |chunk, place| {
            let output_chunk = chunked.chunk_of(place);
            let ends = match indexed.get_mut(output_chunk) {
                Some(ends) => ends.get_or_insert((chunk, chunk)),
                None => others.entry(output_chunk).or_insert((chunk, chunk)),
            };
            ends.1 = chunk;
        });
        // For each chunk, the last chunk with which it fills an output chunk.
        let mut reach = Vec::from_iter((0..chunks).map(|_| 0));
        for &(first, last) in indexed.iter().flatten().chain(others.values()) {
            let reach: &mut usize = &mut reach[first];
            *reach = last.max(*reach);
        }
        // A cut after a chunk of the array is possible if no output chunk is filled from both sides of the cut.
        let (mut cuts, mut furthest) = (Vec::from([positions.start]), 0);
        let result = self.result_axis(axis, Division::Chunks);
        let first = result.chunks_before(positions.start);
        for (chunk, reach) in reach.into_iter().enumerate().take(chunks.saturating_sub(1)) {
            furthest = furthest.max(reach);
            if furthest <= chunk {
                cuts.push(result.positions_before(first + chunk + 1));
            }
        }
        cuts.push(positions.end);
        cuts
    }

    /// Returns `true` if the `positions` of an axis fill each output chunk of `axes` either completely or not at all.
    pub(super) fn fills_whole_chunks(
        &self,
        axis: usize,
        positions: Range<usize>,
        chunked: ChunkedAxes<'_>,
    ) -> bool {
        if positions == (0..self.merged_shape()[axis]) {
            return true;
        }
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        self.for_each_place(axis, positions, |_, place| {
            *counts.entry(chunked.chunk_of(place)).or_default() += 1;
        });
        let mut chunks = counts.iter();
        chunks.all(|(&chunk, &count)| count == chunked.elements_in(chunk))
    }
}
