//! The grid of an array's chunks, those that a plan reads numbered in C order.

use alloc::vec::Vec;

use slice_core::OutputAxis;
use slice_ops::explain::{GridAxis, Picture};

use super::ReadPlan;
use crate::chunks::axis::AxisChunks;

/// As many chunks are drawn at either end of those that are read.
const ENDS: usize = 3;

impl ReadPlan {
    /// The chunks of the array (of a sharded one: its shards), those that the plan reads numbered in C order.
    ///
    /// Of a plan that was split off, the numbers are those of the whole plan. Up to three axes are drawn.
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
        let axes = selection.axes().iter().zip(&array.chunk_shape);
        let axes: Vec<AxisChunks> = axes
            .map(|(&range, &len)| AxisChunks::new(range, len))
            .collect();
        let shape = array.shape.iter().zip(&array.chunk_shape);
        let shape: Vec<usize> = shape.map(|(size, len)| size.div_ceil(*len)).collect();
        let mut outputs: Vec<Option<usize>> = shape.iter().map(|_| None).collect();
        for (output, &origin) in selection.output_axes().iter().enumerate() {
            if let OutputAxis::Input(input) = origin {
                outputs[input] = Some(output);
            }
        }

        // Of each axis the first and the last chunk that this plan reads.
        let ends = axes.iter().enumerate().map(|(axis, chunks)| {
            let (range, len) = (selection.axes()[axis], array.chunk_shape[axis]);
            let read = self.parts().flat_map(|part| match outputs[axis] {
                Some(output) => [part.begin()[output], part.end()[output] - 1],
                None => [0, 0],
            });
            let read = read.filter_map(|k| chunks.index_of(range.position(k) / len));
            let read: Vec<usize> = read.collect();
            (read.iter().min().copied(), read.iter().max().copied())
        });
        let ends: Vec<_> = ends.collect();
        let drawn = axes.iter().zip(&ends).zip(&shape);
        let drawn = drawn.map(|((chunks, &ends), &len)| {
            let chunk = |k| chunks.segment(k).chunk;
            let (Some(first), Some(last)) = ends else {
                let shown = Vec::new();
                return GridAxis {
                    len,
                    shown,
                    place: 0,
                };
            };
            let shown = (first..=last)
                .take(ENDS)
                .chain((first..=last).rev().take(ENDS));
            GridAxis {
                len,
                shown: shown.map(chunk).collect(),
                place: chunk(first),
            }
        });
        let drawn: Vec<GridAxis> = drawn.collect();

        let touched: Vec<usize> = axes.iter().map(AxisChunks::touched).collect();
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
                    // Of an array without elements there may be more chunks than fit.
                    order = usize::saturating_mul(order, *touched).saturating_add(k);
                    begins.push(chunks.segment(k).begin);
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
