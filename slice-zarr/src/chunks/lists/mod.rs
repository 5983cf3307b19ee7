//! Determines the chunks of an array that a selection with lists touches, and the elements selected from each chunk.
//!
//! ```text
//! rows [70, 3, 41, 3], chunks of 32 rows     chunk 0: its rows 3 and 3 fill output rows 1 and 3
//!                                            chunk 1: its row 9 fills output row 2
//!                                            chunk 2: its row 6 fills output row 0
//! ```
//!
//! The positions on each axis are grouped by chunk once per plan. A part of a plan combines one group from each axis,
//! so each touched chunk has exactly one part, whatever the order of the lists.

pub(crate) mod axis;
pub(crate) mod grouped;
pub(crate) mod part;
#[cfg(test)]
pub(crate) mod tests;

use alloc::borrow::Cow;
use core::iter::FusedIterator;
use core::ops::Range;

use slice_core::{AxisPositions, Selection, SliceError};

use super::{check_chunk_shape, plan_of_chunks};
use crate::Dims;
use crate::read_plan::error::PlanError;
use axis::ListAxis;
use grouped::{Check, Singles};
use part::OuterChunkPart;

/// The chunks of an array that are touched by a selection with lists or masks, and the selected elements of each chunk.
/// For selections without lists, see [`ChunkPlan`](crate::ChunkPlan).
///
/// Python equivalent: the chunks read by `z.oindex[spec]`, for a Zarr array `z`.
///
/// Each touched chunk has one part, even if positions are unordered or repeated. Together, the parts fill each element
/// of the output exactly once. They are created one at a time, in C order of the chunk grid. In addition to the
/// selection, a plan holds at most 8 bytes for each position of a list, or 24 bytes for each run of positions in one
/// chunk, and at most 16 bytes for each touched chunk of an axis.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::OuterChunkPlan;
///
/// // Selects four of 100 elements, which are stored in chunks of 10. Two of the four elements are in the same chunk.
/// let plan = OuterChunkPlan::new(s![[71, 3, 40, 4]].resolve(&[100])?, &[10])?;
/// let touched = plan.parts().map(|part| part.chunk().next().unwrap());
/// assert_eq!(touched.collect::<Vec<_>>(), [0, 4, 7]);
///
/// let part = plan.parts().next().unwrap();
/// assert_eq!(part.selection(), s![[3, 4]].resolve(&[10])?);
/// assert_eq!(part.output(), s![[1, 3]].resolve(&[4])?);
/// # Ok::<(), slice_zarr::PlanError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[must_use = "a plan does nothing until its parts are iterated over"]
pub struct OuterChunkPlan {
    // INVARIANT: `axes`, `chunk_shape` and `unit_shape` have one entry for each input axis of the selection. A unit has
    // at least one and at most `isize::MAX` elements. `len` and `units` are 0 if the selection is empty. Otherwise,
    // `len` is the product, over all axes, of the numbers of touched chunks, and `units` is the product of the numbers
    // of touched units. `len` and `units` are at most the number of selected elements.
    selection: Selection,
    chunk_shape: Dims,
    unit_shape: Dims,
    axes: Dims<ListAxis>,
    len: usize,
    units: usize,
}

plan_of_chunks!(OuterChunkPlan, Selection);

impl OuterChunkPlan {
    /// Creates a plan for a selection from an array whose chunks have the shape `chunk_shape`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`ChunkPlan::new`](crate::ChunkPlan::new), and [`SliceError::Allocation`] if, by an
    /// estimate, the runs of a list would be cut at chunk boundaries more than 2^22 times.
    pub fn new(selection: Selection, chunk_shape: &[usize]) -> Result<Self, PlanError> {
        Self::in_units(selection, chunk_shape, chunk_shape, &|| Ok(()))
    }

    /// Creates a plan for a selection from an array whose chunks consist of units of shape `unit_shape`, which are
    /// decoded one by one. Calls `check` repeatedly while lists are grouped, and returns its first error.
    pub(crate) fn in_units<E: From<PlanError>>(
        selection: Selection,
        chunk_shape: &[usize],
        unit_shape: &[usize],
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let rank = selection.input_shape().len();
        check_chunk_shape(rank, chunk_shape)?;
        check_chunk_shape(rank, unit_shape)?;
        selection.check_orthogonal().map_err(PlanError::from)?;
        let axes = (0..rank).map(|axis| {
            let positions = selection.axis(axis);
            let list_axis = ListAxis::new(&positions, chunk_shape[axis], unit_shape[axis], check)?;
            list_axis.ok_or_else(|| too_many_cuts(&positions).into())
        });
        let axes = axes.collect::<Result<Dims<_>, E>>()?;
        let product = |count: fn(&ListAxis) -> usize| match selection.is_empty() {
            true => 0,
            false => axes.iter().map(count).product(),
        };
        Ok(OuterChunkPlan {
            len: product(ListAxis::touched),
            units: product(ListAxis::units),
            selection,
            chunk_shape: Dims::from_slice(chunk_shape),
            unit_shape: Dims::from_slice(unit_shape),
            axes,
        })
    }

    /// Returns the positions selected on an axis of touched chunks, as [`ListAxis::distinct_chunks`] does.
    #[cfg(feature = "zarrs")]
    pub(crate) fn distinct_chunks(
        &self,
        axis: usize,
    ) -> impl Iterator<Item = (axis::AxisPart<'_>, usize)> {
        self.axes[axis].distinct_chunks(singles(&self.selection, axis))
    }

    /// Returns the number of units that hold at least one selected element.
    #[cfg(feature = "zarrs")]
    pub(crate) fn units(&self) -> usize {
        self.units
    }

    /// Returns the memory, in bytes, held by the lists of the selection and by the groups of their positions.
    #[cfg(feature = "zarrs")]
    pub(crate) fn held_bytes(&self) -> u64 {
        let lists = (0..self.axes.len()).map(|axis| list_bytes(&self.selection, axis));
        let groups = self.axes.iter().map(ListAxis::held_bytes);
        lists.chain(groups).map(|bytes| bytes as u64).sum()
    }

    /// Returns one part for each touched chunk, in C order of the chunk grid.
    ///
    /// # Example
    ///
    /// See [`OuterChunkPart`].
    pub fn parts(&self) -> OuterChunkParts<'_> {
        self.parts_in(0..self.len)
    }

    /// Returns the parts whose numbers lie in `range`, in the order of [`parts`](Self::parts).
    ///
    /// A range that extends beyond the last part is clamped, as in Python.
    pub fn parts_in(&self, range: Range<usize>) -> OuterChunkParts<'_> {
        let end = range.end.min(self.len);
        OuterChunkParts {
            plan: self,
            numbers: range.start.min(end)..end,
        }
    }
}

#[cold]
fn too_many_cuts(positions: &AxisPositions<'_>) -> PlanError {
    let elements = positions.len();
    SliceError::Allocation { elements }.into()
}

/// An iterator over the parts of a plan, created by [`OuterChunkPlan::parts`] and [`OuterChunkPlan::parts_in`].
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct OuterChunkParts<'a> {
    plan: &'a OuterChunkPlan,
    numbers: Range<usize>,
}

impl<'a> Iterator for OuterChunkParts<'a> {
    type Item = OuterChunkPart<'a>;

    fn next(&mut self) -> Option<OuterChunkPart<'a>> {
        let plan = self.plan;
        let number = self.numbers.next()?;
        Some(OuterChunkPart::new(plan, number))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.numbers.size_hint()
    }
}

impl ExactSizeIterator for OuterChunkParts<'_> {}

impl FusedIterator for OuterChunkParts<'_> {}

/// Returns the `number`-th position, in C order, in a grid whose axes have the lengths `lens`.
fn unravel(number: usize, lens: impl DoubleEndedIterator<Item = usize>) -> Dims {
    let mut rest = number;
    let positions = lens.rev().map(|len| {
        let position = rest % len;
        rest /= len;
        position
    });
    let mut positions: Dims = positions.collect();
    positions.reverse();
    positions
}

/// Returns the list of single positions on an axis, or an empty list if the axis has no such list.
pub(crate) fn singles(selection: &Selection, axis: usize) -> Singles<'_> {
    match selection.axis(axis) {
        AxisPositions::Singles(Cow::Borrowed(list)) => Singles::Wide(list),
        AxisPositions::Narrow(Cow::Borrowed(list)) => Singles::Narrow(list),
        _ => Singles::Wide(&[]),
    }
}

/// Returns the size, in bytes, of the list on an axis, or 0 if the axis has no list.
#[cfg(feature = "zarrs")]
pub(crate) fn list_bytes(selection: &Selection, axis: usize) -> usize {
    match selection.axis(axis) {
        AxisPositions::Range(_) => 0,
        AxisPositions::Singles(list) => size_of_val(&list[..]),
        AxisPositions::Narrow(list) => size_of_val(&list[..]),
        AxisPositions::Runs(runs) => size_of_val(&runs[..]),
    }
}
