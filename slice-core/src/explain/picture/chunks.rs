//! The grid of an array's chunks, those that a plan reads numbered in C order.

use alloc::string::ToString;
use alloc::vec::Vec;

use super::grid::Grids;
use super::items::Items;
use super::slots::Slots;
use super::{Picture, strides};
use crate::chunks::axis::AxisChunks;
use crate::read_plan::ReadPlan;
use crate::resolve::selection::OutputAxis;

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
    /// use slice_core::{ChunkedArray, ReadPlan, s};
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
        let slots = axes.iter().zip(&ends).zip(&shape);
        let slots = slots.map(|((chunks, &ends), &size)| {
            let (Some(first), Some(last)) = ends else {
                return Slots::around(size, []);
            };
            let shown = (first..=last)
                .take(ENDS)
                .chain((first..=last).rev().take(ENDS));
            Slots::around(size, shown.map(|k| chunks.segment(k).chunk))
        });
        let slots: Vec<Slots> = slots.collect();
        let place = axes.iter().zip(&ends);
        let place = place.map(|(chunks, ends)| ends.0.map_or(0, |k| chunks.segment(k).chunk));

        let touched: Vec<usize> = axes.iter().map(AxisChunks::touched).collect();
        let strides = strides(&touched);
        let input = Grids::new(&shape, &slots, &[], place.collect(), |position| {
            let mut order = 0;
            let mut begins = Vec::new();
            for ((&at, chunks), stride) in position.iter().zip(&axes).zip(&strides) {
                let k = chunks.index_of(at)?;
                order += k * stride;
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
        });
        Picture {
            subject: "the grid of chunks".to_string(),
            input_shape: shape,
            output_shape: Vec::new(),
            input,
            result: None,
            items: Items::none(),
            len: touched.iter().product(),
        }
    }
}
