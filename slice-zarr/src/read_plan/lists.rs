//! The lists of a plan, grouped by decoding unit.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use slice_core::{AxisPositions, AxisRun, OutputAxis, Selection, SliceError};

use crate::chunks::grouped::{Check, Grouped, Move, Singles};
#[cfg(feature = "zarrs")]
use crate::chunks::list_bytes;
use crate::chunks::singles;

use super::error::PlanError;

/// The axes of a selection: the origin of each axis of the result, and the lists, grouped by decoding unit. If the
/// plans of a split have the same selection, they share this data.
#[derive(Clone, Debug)]
pub(super) struct SelectionAxes(Arc<AxesData>);

#[derive(Debug)]
struct AxesData {
    origins: Vec<OutputAxis>,
    /// The list on each axis of the array, or `None` if the axis has no list.
    lists: Vec<Option<GroupedList>>,
}

/// The list on an axis, grouped by decoding unit.
#[derive(Debug)]
pub(super) struct GroupedList {
    units: Grouped,
    /// The number of positions before each touched chunk, followed by the total number. `None` if chunks and units have
    /// the same length on this axis.
    chunks: Option<Vec<usize>>,
}

/// All values compare equal, because they are derived from the array and the selection, which the comparison of plans
/// already covers.
impl PartialEq for SelectionAxes {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for SelectionAxes {}

impl Hash for SelectionAxes {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl SelectionAxes {
    /// Groups the lists of `selection`, which is orthogonal, by the units of shape `unit_shape` of chunks of shape
    /// `chunk_shape`. Calls `check` repeatedly, and returns its first error.
    pub(super) fn new<E: From<PlanError>>(
        [chunk_shape, unit_shape]: [&[usize]; 2],
        selection: &Selection,
        check: Check<'_, E>,
    ) -> Result<Self, E> {
        let lists = (0..chunk_shape.len()).map(|axis| match selection.axis(axis) {
            AxisPositions::Range(_) => Ok(None),
            list => {
                let (chunk, unit) = (chunk_shape[axis], unit_shape[axis]);
                let grouped = GroupedList::new(&list, chunk, unit, check)?;
                let elements = list.len();
                let too_long = || PlanError::from(SliceError::Allocation { elements });
                Ok(Some(grouped.ok_or_else(too_long)?))
            }
        });
        Ok(SelectionAxes(Arc::new(AxesData {
            lists: lists.collect::<Result<_, E>>()?,
            origins: selection.output_axes().to_vec(),
        })))
    }

    /// Returns the origin of each axis of the result.
    pub(super) fn origins(&self) -> &[OutputAxis] {
        &self.0.origins
    }

    /// Returns the memory, in bytes, held by the lists of the selection and by the groups of their positions.
    #[cfg(feature = "zarrs")]
    pub(super) fn held_bytes(&self, selection: &Selection) -> u64 {
        let grouped = self.0.lists.iter().flatten().map(|list| {
            let chunks = list.chunks.as_deref().unwrap_or_default();
            (list.units.held_bytes() + size_of_val(chunks)) as u64
        });
        list_bytes(selection) + grouped.sum::<u64>()
    }

    /// Returns the list on an axis of the array, if there is one.
    pub(super) fn list(&self, axis: usize) -> Option<&GroupedList> {
        self.0.lists[axis].as_ref()
    }
}

impl GroupedList {
    fn new<E>(
        list: &AxisPositions<'_>,
        chunk_len: usize,
        unit_len: usize,
        check: Check<'_, E>,
    ) -> Result<Option<Self>, E> {
        let Some(units) = Grouped::new(list, unit_len, check)? else {
            return Ok(None);
        };
        let positions = Singles::of(list);
        let chunks = (chunk_len != unit_len).then(|| {
            let (mut begins, mut last) = (Vec::new(), None);
            for (unit, &begin) in units.begins()[..units.len()].iter().enumerate() {
                let chunk = units.first(positions, unit) / chunk_len;
                if last.replace(chunk) != Some(chunk) {
                    begins.push(begin);
                }
            }
            begins.extend(units.begins().last());
            begins
        });
        Ok(Some(GroupedList { units, chunks }))
    }

    /// Returns the number of positions before each touched chunk, followed by the total number.
    pub(super) fn chunks(&self) -> &[usize] {
        self.chunks.as_deref().unwrap_or(self.units.begins())
    }

    /// Returns the number of positions before each touched decoding unit, followed by the total number.
    pub(super) fn units(&self) -> &[usize] {
        self.units.begins()
    }

    /// Returns `true` if grouping preserves the order of the list.
    pub(super) fn is_in_order(&self) -> bool {
        self.units.is_in_order()
    }

    /// Returns the [`Move`]s for `positions`, which are indices into the grouped list. `positions` must begin and end
    /// at unit boundaries.
    pub(super) fn moves<'l>(
        &'l self,
        selection: &'l Selection,
        axis: usize,
        positions: Range<usize>,
    ) -> impl Iterator<Item = Move> + use<'l> {
        let group = |position| self.units().partition_point(|&begin| begin < position);
        let list = singles(selection, axis);
        let groups = self
            .units
            .groups(list, group(positions.start), group(positions.end));
        (0..groups.move_count()).map(move |n| groups.nth_move(n))
    }

    /// Returns two sequences of positions for the indices `positions` of the grouped list: the positions in the array,
    /// and the positions in the result that they fill. Both are in the order of the result.
    pub(super) fn array_and_output_positions<'p>(
        &self,
        selection: &Selection,
        axis: usize,
        positions: Range<usize>,
    ) -> [AxisPositions<'p>; 2] {
        let mut moves: Vec<Move> = self.moves(selection, axis, positions).collect();
        moves.sort_unstable_by_key(|list_move| list_move.to);
        if moves.iter().all(|list_move| list_move.len == 1) {
            return [
                |list_move: &Move| list_move.from,
                |list_move: &Move| list_move.to,
            ]
            .map(|position| AxisPositions::Singles(moves.iter().map(position).collect()));
        }
        let from = moves.iter().map(|list_move| AxisRun {
            start: list_move.from,
            step: list_move.step,
            len: list_move.len,
        });
        let to = moves.iter().map(|list_move| AxisRun {
            start: list_move.to,
            step: 1,
            len: list_move.len,
        });
        [
            AxisPositions::Runs(from.collect()),
            AxisPositions::Runs(to.collect()),
        ]
    }
}
