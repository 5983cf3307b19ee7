//! Treats axes whose positions are listed together as one axis.
//!
//! A mask or points on several axes list positions of these axes together. A plan replaces the axes with one *joined* axis,
//! on which the elements of each chunk are consecutive, in C order. Its positions can be grouped by chunk as those of any
//! other list:
//!
//! ```text
//! 4 by 5 elements                       0  1  2 |  6  7  .
//! in chunks of 2 by 3, numbered         3  4  5 |  9 10  .
//! on the joined axis                   ---------+---------
//!                                      12 13 14 | 18 19  .
//!                                      15 16 17 | 21 22  .
//! ```

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::iter;
use core::ops::Range;

use slice_core::resolve::element_count;
use slice_core::{
    AxisPositions, AxisRange, ListedAxes, OutputAxis, ResolvedStep, Selection, SliceError,
};

use super::grouped::{CHECK_INTERVAL, Check};
use crate::Dims;
use crate::read_plan::error::PlanError;

/// Neighboring axes of an array: their lengths, and on each axis the lengths of a chunk and of a unit of a chunk.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChunkedAxes<'a> {
    pub(crate) sizes: &'a [usize],
    pub(crate) chunks: &'a [usize],
    pub(crate) units: &'a [usize],
}

impl<'a> ChunkedAxes<'a> {
    /// Returns the length of the joined axis, or `usize::MAX` if it is larger.
    fn len(self) -> usize {
        let axes = self.sizes.iter().zip(self.chunks);
        axes.fold(1, |len: usize, (size, chunk)| {
            len.saturating_mul(size.div_ceil(*chunk).saturating_mul(*chunk))
        })
    }

    /// Returns the position on the joined axis of the element at `position` in C order. Also returns the number of
    /// elements, beginning with this one, that are consecutive in both orders.
    fn by_chunk(self, position: usize) -> (usize, usize) {
        let (mut rest, mut by_chunk, mut run) = (position, 0, 1);
        let (mut unit_stride, mut chunk_stride) = (1, self.units.iter().product::<usize>());
        let mut stride: usize = self.chunks.iter().product();
        for (axis, &size) in self.sizes.iter().enumerate().rev() {
            let (chunk, unit) = (self.chunks[axis], self.units[axis]);
            let on_axis = rest % size;
            rest /= size;
            let in_chunk = on_axis % chunk;
            let in_unit = in_chunk % unit;
            if axis + 1 == self.sizes.len() {
                run = (unit - in_unit).min(size - on_axis);
            }
            by_chunk += on_axis / chunk * stride;
            by_chunk += in_chunk / unit * chunk_stride + in_unit * unit_stride;
            stride *= size.div_ceil(chunk);
            chunk_stride *= chunk / unit;
            unit_stride *= unit;
        }
        (by_chunk, run)
    }

    /// Returns the position in C order of the element at `by_chunk` on the joined axis.
    pub(crate) fn in_c_order(self, by_chunk: usize) -> usize {
        let product = |lens: &[usize]| lens.iter().product::<usize>();
        let (chunk_len, unit_len) = (product(self.chunks), product(self.units));
        let (mut chunks, in_chunk) = (by_chunk / chunk_len, by_chunk % chunk_len);
        let (mut units, mut elements) = (in_chunk / unit_len, in_chunk % unit_len);
        let (mut position, mut stride) = (0, 1);
        for (axis, &size) in self.sizes.iter().enumerate().rev() {
            let (chunk, unit) = (self.chunks[axis], self.units[axis]);
            let (grid, units_per_chunk) = (size.div_ceil(chunk), chunk / unit);
            let on_axis = chunks % grid * chunk + units % units_per_chunk * unit + elements % unit;
            (chunks, units, elements) = (chunks / grid, units / units_per_chunk, elements / unit);
            position += on_axis * stride;
            stride *= size;
        }
        position
    }

    /// Returns the number of the chunk, in C order of the chunk grid, that holds the element at `position` in C order.
    pub(crate) fn chunk_of(self, position: usize) -> usize {
        let (mut rest, mut number, mut stride) = (position, 0, 1);
        for (&size, &chunk) in self.sizes.iter().zip(self.chunks).rev() {
            number += rest % size / chunk * stride;
            rest /= size;
            stride *= size.div_ceil(chunk);
        }
        number
    }

    /// Returns the position of a chunk along each axis of the chunk grid.
    fn chunk(self, number: usize) -> Dims {
        let mut rest = number;
        let grid = self.sizes.iter().zip(self.chunks).rev();
        let chunks = grid.map(|(size, len)| {
            let chunks = size.div_ceil(*len);
            let chunk = rest % chunks;
            rest /= chunks;
            chunk
        });
        let mut chunks: Dims = chunks.collect();
        chunks.reverse();
        chunks
    }

    /// Returns the number of chunks.
    pub(crate) fn chunk_count(self) -> usize {
        let grid = self.sizes.iter().zip(self.chunks);
        grid.map(|(size, len)| size.div_ceil(*len)).product()
    }

    /// Returns the number of elements of the array in a chunk.
    pub(crate) fn elements_in(self, chunk: usize) -> usize {
        let axes = self.sizes.iter().zip(self.chunks).zip(self.chunk(chunk));
        axes.map(|((&size, &len), chunk)| len.min(size - chunk * len))
            .product()
    }

    /// Returns the positions on the joined axis of `positions` in C order. Calls `check` repeatedly, and returns its first
    /// error.
    fn positions_by_chunk<E: From<PlanError>>(
        self,
        positions: &AxisPositions,
        check: Check<'_, E>,
    ) -> Result<Vec<usize>, E> {
        let mut by_chunk = Vec::new();
        let elements = positions.len();
        if by_chunk.try_reserve_exact(elements).is_err() {
            return Err(PlanError::from(SliceError::Allocation { elements }).into());
        }
        // The last position whose place was computed, its place, and the number of elements consecutive with it.
        let (mut first, mut place, mut run) = (0, 0, 0);
        for position in positions.iter() {
            if by_chunk.len().is_multiple_of(CHECK_INTERVAL) {
                check()?;
            }
            if position.wrapping_sub(first) >= run {
                first = position;
                (place, run) = self.by_chunk(position);
            }
            by_chunk.push(place + (position - first));
        }
        Ok(by_chunk)
    }
}

/// The axes of an array and of a result, of which a plan treats some as one axis.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct JoinedAxes {
    pub(crate) shape: Dims,
    pub(crate) chunk_shape: Dims,
    unit_shape: Dims,
    /// For each axis of the plan, its number of axes of the array.
    pub(crate) input: Dims,
    pub(crate) result_shape: Dims,
    /// For each axis of the plan's result, its number of axes of the result.
    pub(crate) output: Dims,
}

impl JoinedAxes {
    /// Returns the joined axes of a selection that is not [orthogonal](Selection::check_orthogonal), and the orthogonal
    /// selection of the same elements. Returns `None` for an orthogonal selection. Calls `check` repeatedly, and returns
    /// its first error.
    pub(crate) fn new<E: From<PlanError>>(
        selection: &Selection,
        chunk_shape: &[usize],
        unit_shape: &[usize],
        check: Check<'_, E>,
    ) -> Result<Option<(Self, Selection)>, E> {
        if selection.check_orthogonal().is_ok() {
            return Ok(None);
        }
        let mut joined_axes = JoinedAxes {
            shape: Dims::from_slice(selection.input_shape()),
            chunk_shape: Dims::from_slice(chunk_shape),
            unit_shape: Dims::from_slice(unit_shape),
            input: Dims::new(),
            result_shape: Dims::from_slice(selection.output_shape()),
            output: Dims::new(),
        };
        let (mut shape, mut axes, mut output_axes) = (Dims::new(), Vec::new(), Vec::new());
        let mut first = 0;
        for step in selection.resolved_steps() {
            let (count, positions, rank) = match step {
                ResolvedStep::Keep(range) => (1, Cow::Owned(range.into()), 1),
                ResolvedStep::Drop(position) => {
                    (1, Cow::Owned(AxisRange::single(position).into()), 0)
                }
                ResolvedStep::Insert { len } => {
                    output_axes.push(OutputAxis::New { len });
                    joined_axes.output.push(1);
                    continue;
                }
                ResolvedStep::List(list) => {
                    let positions = Cow::Borrowed(list.positions());
                    (list.axes(), positions, list.shape().len())
                }
            };
            if rank > 0 {
                output_axes.push(OutputAxis::Input(axes.len()));
                joined_axes.output.push(rank);
            }
            joined_axes.input.push(count);
            let chunked = joined_axes.chunked(axes.len());
            let (size, positions) = match count {
                1 => (joined_axes.shape[first], positions.into_owned()),
                _ => {
                    let size = chunked.len();
                    element_count(&[size]).map_err(PlanError::from)?;
                    let positions = chunked.positions_by_chunk(&positions, check)?;
                    (size, AxisPositions::from_positions(positions))
                }
            };
            shape.push(size);
            axes.push(positions);
            first += count;
        }
        let by_chunk = Selection::from_axes(&shape, axes, &output_axes).map_err(PlanError::from)?;
        Ok(Some((joined_axes, by_chunk)))
    }

    /// Creates the axes of an array of which none are joined. The caller sets the axes of the result.
    #[cfg(feature = "serde")]
    pub(crate) fn without_joined_axes(
        shape: &[usize],
        chunk_shape: &[usize],
        unit_shape: &[usize],
    ) -> Self {
        JoinedAxes {
            shape: Dims::from_slice(shape),
            chunk_shape: Dims::from_slice(chunk_shape),
            unit_shape: Dims::from_slice(unit_shape),
            input: Dims::from_elem(1, shape.len()),
            result_shape: Dims::new(),
            output: Dims::new(),
        }
    }

    /// Sets the lengths of the axes of the result that belong to each axis of the plan's result. Returns the first axis of
    /// the plan's result that has another number of elements in `shape`.
    #[cfg(feature = "serde")]
    pub(crate) fn set_result(&mut self, shape: &[usize], lens: &[Dims]) -> Result<(), usize> {
        (self.result_shape, self.output) = (Dims::new(), Dims::new());
        for (axis, (&len, lens)) in shape.iter().zip(lens).enumerate() {
            if element_count(lens) != Ok(len) {
                return Err(axis);
            }
            self.result_shape.extend_from_slice(lens);
            self.output.push(lens.len());
        }
        Ok(())
    }

    /// Returns the axes of the array that belong to an axis of the plan.
    fn axes(&self, plan_axis: usize) -> Range<usize> {
        let first = self.input[..plan_axis].iter().sum();
        first..first + self.input[plan_axis]
    }

    /// Returns the axes of the array for an axis of the plan.
    fn chunked(&self, plan_axis: usize) -> ChunkedAxes<'_> {
        let axes = self.axes(plan_axis);
        ChunkedAxes {
            sizes: &self.shape[axes.clone()],
            chunks: &self.chunk_shape[axes.clone()],
            units: &self.unit_shape[axes],
        }
    }

    /// Returns the product of `lens` on the axes of the array for each axis of the plan.
    pub(crate) fn merged(&self, lens: &[usize]) -> Dims {
        merged(&self.input, lens)
    }

    /// Returns the axis of the plan to which an axis of the array belongs, and all axes of the array that belong to it.
    pub(crate) fn axes_of(&self, axis: usize) -> (usize, Range<usize>) {
        let axes = (0..self.input.len()).map(|plan_axis| (plan_axis, self.axes(plan_axis)));
        let mut axes = axes.filter(|(_, axes)| axes.contains(&axis));
        axes.next()
            .expect("each axis should belong to an axis of the plan")
    }

    /// Returns the axes of the result that belong to an axis of the plan's result.
    pub(crate) fn result_axes(&self, plan_axis: usize) -> Range<usize> {
        let first = self.output[..plan_axis].iter().sum();
        first..first + self.output[plan_axis]
    }

    /// Returns the lengths of the axes of the result that belong to an axis of the plan's result.
    pub(crate) fn result_lens(&self, plan_axis: usize) -> Dims {
        Dims::from_slice(&self.result_shape[self.result_axes(plan_axis)])
    }

    /// Returns the position along an axis of the array's chunk grid, if `number` is the position along the axis of the
    /// plan to which the axis belongs.
    pub(crate) fn chunk_on(&self, axis: usize, number: impl Fn(usize) -> usize) -> usize {
        let (plan_axis, axes) = self.axes_of(axis);
        self.chunked(plan_axis).chunk(number(plan_axis))[axis - axes.start]
    }

    /// Returns the selection from the array, or from a chunk or another part of it with the shape `shape`. `selection`
    /// selects from the array or part with joined axes, and in full on each axis of the plan's result for which `is_whole`
    /// returns `true`. All axes of the result take the place of such an axis. Any other axis remains one axis.
    pub(crate) fn separated(
        &self,
        selection: &Selection,
        shape: &[usize],
        is_whole: impl Fn(usize) -> bool,
    ) -> Selection {
        let replaced = |axis: Option<usize>, result: usize, positions: &AxisPositions| {
            let count = axis.map_or(0, |axis| self.input[axis]);
            let lens = match is_whole(result) {
                true => self.result_lens(result),
                false => Dims::from_elem(positions.len(), 1),
            };
            if count <= 1 && lens.len() == 1 {
                return None;
            }
            let positions = match axis {
                Some(axis) if count > 1 => {
                    let chunked = ChunkedAxes {
                        sizes: &shape[self.axes(axis)],
                        ..self.chunked(axis)
                    };
                    let positions = positions.iter();
                    AxisPositions::from_positions(positions.map(|k| chunked.in_c_order(k)))
                }
                _ => positions.clone(),
            };
            Some(listed(count, &lens, positions))
        };
        replace_axes(selection, shape, replaced)
    }

    /// Returns the selection from a result of shape `shape`. `selection` selects from the plan's result, and keeps all axes.
    /// If `keeps_axes` is true, it selects each axis that stands for several axes in full, and these are kept.
    pub(crate) fn separated_output(
        &self,
        selection: &Selection,
        shape: &[usize],
        keeps_axes: bool,
    ) -> Selection {
        let lists = (0..self.output.len()).map(|axis| match self.output[axis] {
            0 | 1 => None,
            _ if keeps_axes => None,
            count => {
                let positions = selection.axis(axis).into_owned();
                Some(listed(count, &[positions.len()], positions))
            }
        });
        let lists: Vec<Option<ListedAxes>> = lists.collect();
        let mut steps = Vec::new();
        for (axis, (step, list)) in selection.resolved_steps().zip(&lists).enumerate() {
            match list {
                Some(list) => steps.push(ResolvedStep::List(list)),
                None if self.output[axis] == 1 => steps.push(step),
                None => {
                    let lens = shape[self.result_axes(axis)].iter();
                    steps.extend(lens.map(|&len| ResolvedStep::Keep(AxisRange::whole(len))));
                }
            }
        }
        let selection = Selection::from_steps(shape, steps);
        selection.expect("the positions should lie within the result")
    }
}

/// Returns listed axes.
pub(crate) fn listed(axes: usize, lens: &[usize], positions: AxisPositions) -> ListedAxes {
    let listed = ListedAxes::from_positions(axes, lens, positions);
    listed.expect("there should be one position for each element")
}

/// Returns a selection from arrays of shape `shape`, in which `listed` replaces the axes for which it returns listed axes.
/// It is called with an axis of `selection`, unless the axis is new, its axis of the result, and its positions.
pub(crate) fn replace_axes(
    selection: &Selection,
    shape: &[usize],
    listed: impl Fn(Option<usize>, usize, &AxisPositions) -> Option<ListedAxes>,
) -> Selection {
    let (mut axis, mut result) = (0, 0);
    let replaced = selection.resolved_steps().map(|step| {
        let (axes, outputs, positions) = match step {
            ResolvedStep::Keep(range) => (1, 1, Some(Cow::Owned(range.into()))),
            ResolvedStep::Drop(_) => (1, 0, None),
            ResolvedStep::Insert { len } => {
                let repeated = iter::repeat_n(AxisRange::new(0, 0, len), len.min(1));
                (0, 1, Some(Cow::Owned(AxisPositions::from_runs(repeated))))
            }
            ResolvedStep::List(list) => (list.axes(), 1, Some(Cow::Borrowed(list.positions()))),
        };
        let of_input = (axes > 0).then_some(axis);
        let replaced = positions.and_then(|positions| listed(of_input, result, &positions));
        axis += axes;
        result += outputs;
        replaced
    });
    let replaced: Vec<Option<ListedAxes>> = replaced.collect();
    let steps = selection.resolved_steps().zip(&replaced);
    let steps = steps.map(|(step, listed)| listed.as_ref().map_or(step, ResolvedStep::List));
    Selection::from_steps(shape, steps).expect("the positions should lie within the array")
}

/// Returns the product of the next `count` of `lens`, for each of the `counts`. Larger products than `usize::MAX` saturate.
pub(crate) fn merged(counts: &[usize], lens: &[usize]) -> Dims {
    let mut rest = lens;
    let merged = counts.iter().map(|&count| {
        let (lens, after) = rest.split_at(count);
        rest = after;
        lens.iter()
            .fold(1, |all: usize, &len| all.saturating_mul(len))
    });
    merged.collect()
}
