//! Draws the grid of an array's chunks, in which the chunks of a plan are numbered in C order.

use alloc::vec::Vec;

use slice_core::{AxisPositions, AxisRange, OutputAxis};
use slice_systems::explain::{GridAxis, Picture};

use super::ReadPlan;
use super::lists::GroupedList;
use crate::chunks::axis::AxisChunks;
use crate::chunks::lists::grouped::Singles;
use crate::chunks::lists::singles;

/// The number of chunks that are drawn at each end of the plan's chunks on a long axis.
const CHUNKS_SHOWN_AT_EACH_END: usize = 3;

impl ReadPlan {
    /// Draws the grid of the array's chunks (for a sharded array, of shards). The chunks of the plan are numbered in C
    /// order.
    ///
    /// In the picture of a plan created by a split, the chunks have the same numbers as in the picture of the whole
    /// plan. If there are lists, the numbers may differ: on an axis with a list, only the chunks that hold positions of
    /// the plan's own list are counted. At most three axes are drawn.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ChunkedArray, ReadPlan};
    ///
    /// let array = ChunkedArray { shape: vec![40, 50], chunk_shape: vec![10, 10], ..ChunkedArray::default() };
    /// let plan = ReadPlan::new(array, s![::20, 15:35].resolve(&[40, 50])?)?;
    /// assert_eq!(
    ///     plan.picture().to_string(),
    ///     "\
    /// the grid of chunks of shape (4, 5)
    ///        0  1  2  3  4   axis 1
    ///   0    .  0  1  2  .
    ///   1    .  .  .  .  .
    ///   2    .  3  4  5  .
    ///   3    .  .  .  .  .
    /// axis 0
    /// "
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn picture(&self) -> Picture {
        let (selection, array) = (self.selection(), self.array());
        let axes = array.chunk_shape.iter().enumerate();
        let axes: Vec<GridChunks<'_>> = axes
            .map(
                |(axis, &len)| match (selection.axis(axis), self.selection_axes.list(axis)) {
                    (AxisPositions::Range(range), _) => {
                        GridChunks::Range(range, AxisChunks::new(range, len), len)
                    }
                    (_, Some(list)) => GridChunks::Listed(list, singles(selection, axis), len),
                    (_, None) => unreachable!("all lists are grouped"),
                },
            )
            .collect();
        let shape = array.shape.iter().zip(&array.chunk_shape);
        let shape: Vec<usize> = shape.map(|(size, len)| size.div_ceil(*len)).collect();
        let mut outputs: Vec<Option<usize>> = shape.iter().map(|_| None).collect();
        for (output, &origin) in self.selection_axes.origins().iter().enumerate() {
            if let OutputAxis::Input(input) = origin {
                outputs[input] = Some(output);
            }
        }

        // The first and the last chunk that this plan reads on each axis.
        let ends = axes.iter().enumerate().map(|(axis, chunks)| {
            let read = self.parts().flat_map(|part| match outputs[axis] {
                Some(output) => [part.begin()[output], part.end()[output] - 1],
                None => [0, 0],
            });
            let read: Vec<usize> = read.filter_map(|k| chunks.chunk_of_position(k)).collect();
            (read.iter().min().copied(), read.iter().max().copied())
        });
        let ends: Vec<_> = ends.collect();
        let drawn = axes.iter().zip(&ends).zip(&shape);
        let drawn = drawn.map(|((chunks, &ends), &len)| {
            let chunk = |k| chunks.chunk(k);
            let (Some(first), Some(last)) = ends else {
                let shown = Vec::new();
                return GridAxis {
                    len,
                    shown,
                    place: 0,
                };
            };
            let shown = (first..=last)
                .take(CHUNKS_SHOWN_AT_EACH_END)
                .chain((first..=last).rev().take(CHUNKS_SHOWN_AT_EACH_END));
            GridAxis {
                len,
                shown: shown.map(chunk).collect(),
                place: chunk(first),
            }
        });
        let drawn: Vec<GridAxis> = drawn.collect();

        let touched: Vec<usize> = axes.iter().map(GridChunks::touched).collect();
        Picture::of_grid(
            "the grid of chunks",
            &drawn,
            touched
                .iter()
                .fold(1, |all: usize, &len| all.saturating_mul(len)),
            |position| {
                let mut order = 0;
                let mut begins = Vec::new();
                for ((&at, chunks), touched) in position.iter().zip(&axes).zip(&touched) {
                    let k = chunks.index_of(at)?;
                    // The number may overflow if the array has an axis of length 0.
                    order = usize::saturating_mul(order, *touched).saturating_add(k);
                    begins.push(chunks.begin(k));
                }
                let mut parts = self.parts();
                let is_read = parts.any(|part| {
                    let mut axes = outputs.iter().zip(&begins);
                    axes.all(|(&output, begin)| {
                        output.is_none_or(|at| (part.begin()[at]..part.end()[at]).contains(begin))
                    })
                });
                is_read.then_some(order)
            },
        )
    }
}

/// The touched chunks of an axis.
enum GridChunks<'a> {
    /// A range, its chunks, and the length of a chunk.
    Range(AxisRange, AxisChunks, usize),
    /// A grouped list, its single positions, if any, and the length of a chunk.
    Listed(&'a GroupedList, Singles<'a>, usize),
}

impl GridChunks<'_> {
    fn touched(&self) -> usize {
        match self {
            GridChunks::Range(_, chunks, _) => chunks.touched(),
            GridChunks::Listed(list, ..) => list.chunks().len() - 1,
        }
    }

    /// Returns the index, among all chunks of the axis, of the `k`-th touched chunk.
    fn chunk(&self, k: usize) -> usize {
        match self {
            GridChunks::Range(_, chunks, _) => chunks.segment(k).chunk,
            GridChunks::Listed(list, positions, len) => list.first_of_chunk(*positions, k) / len,
        }
    }

    /// Returns the number of result positions that precede the positions of the `k`-th touched chunk.
    fn begin(&self, k: usize) -> usize {
        match self {
            GridChunks::Range(_, chunks, _) => chunks.segment(k).begin,
            GridChunks::Listed(list, ..) => list.chunks()[k],
        }
    }

    /// Returns the index of a chunk among the touched chunks, or `None` if the chunk is not touched.
    fn index_of(&self, chunk: usize) -> Option<usize> {
        match self {
            GridChunks::Range(_, chunks, _) => chunks.index_of(chunk),
            GridChunks::Listed(..) => {
                let (mut low, mut high) = (0, self.touched());
                while low < high {
                    let middle = low + (high - low) / 2;
                    match self.chunk(middle) < chunk {
                        true => low = middle + 1,
                        false => high = middle,
                    }
                }
                (low < self.touched() && self.chunk(low) == chunk).then_some(low)
            }
        }
    }

    /// Returns the index, among the touched chunks, of the chunk that holds the `k`-th position of the result.
    fn chunk_of_position(&self, k: usize) -> Option<usize> {
        match self {
            GridChunks::Range(range, chunks, len) => chunks.index_of(range.position(k) / len),
            GridChunks::Listed(list, ..) => list
                .chunks()
                .partition_point(|&begin| begin <= k)
                .checked_sub(1),
        }
    }
}
