//! The lists of a plan, grouped by chunk.

use alloc::sync::Arc;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};
use core::ops::Range;

use slice_core::{AxisPositions, AxisRun, OuterSelection, OutputAxis, SliceError};

use crate::chunks::lists::grouped::{Grouped, List, Move};
#[cfg(feature = "zarrs")]
use crate::chunks::lists::list_bytes;
use crate::chunks::lists::singles;

use super::ChunkedArray;

/// Data derived from a selection and the chunks of its array. Plans of a split that have the same selection share the
/// data.
#[derive(Clone, Debug)]
pub(super) struct Derived(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    origins: Vec<OutputAxis>,
    /// The list on each axis of the array, or `None` if the axis has no list.
    lists: Vec<Option<GroupedList>>,
}

/// The list on an axis, grouped by decoding unit.
#[derive(Debug)]
pub(super) struct GroupedList {
    /// The positions, grouped by decoding unit.
    units: Grouped,
    /// The number of positions before each touched chunk, and in total, if a chunk consists of several units.
    chunks: Option<Vec<usize>>,
}

/// Always equal, because the data follow from the array and the selection, which are also compared when plans are
/// compared.
impl PartialEq for Derived {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Derived {}

impl Hash for Derived {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Derived {
    /// Groups the lists of `selection`, which must fit `array`.
    pub(super) fn new(
        array: &ChunkedArray,
        selection: &OuterSelection,
    ) -> Result<Self, SliceError> {
        let lists = (0..array.shape.len()).map(|axis| match selection.axis(axis) {
            AxisPositions::Range(_) => Ok(None),
            list => {
                let (chunk, unit) = (array.chunk_shape[axis], array.decoded_shape()[axis]);
                let grouped = GroupedList::new(&list, chunk, unit);
                let elements = list.len();
                Ok(Some(grouped.ok_or(SliceError::Allocation { elements })?))
            }
        });
        Ok(Derived(Arc::new(Inner {
            lists: lists.collect::<Result<_, SliceError>>()?,
            origins: selection.output_axes().collect(),
        })))
    }

    /// Returns the origin of each axis of the result.
    pub(super) fn origins(&self) -> &[OutputAxis] {
        &self.0.origins
    }

    /// Returns the memory, in bytes, held by the lists of the selection and by the groups of their positions.
    #[cfg(feature = "zarrs")]
    pub(super) fn held_bytes(&self, selection: &OuterSelection) -> u64 {
        let axes = self.0.lists.iter().enumerate();
        let bytes = axes.map(|(axis, list)| {
            let positions = list_bytes(selection, axis);
            let grouped = list.as_ref().map_or(0, |list| {
                let chunks = list.chunks.as_deref().unwrap_or_default();
                list.units.held_bytes() + size_of_val(chunks)
            });
            (positions + grouped) as u64
        });
        bytes.sum()
    }

    /// Returns the list on an axis of the array, if there is one.
    pub(super) fn list(&self, axis: usize) -> Option<&GroupedList> {
        self.0.lists[axis].as_ref()
    }
}

impl GroupedList {
    fn new(list: &AxisPositions<'_>, chunk_len: usize, unit_len: usize) -> Option<Self> {
        let units = Grouped::new(list, unit_len)?;
        let positions = List::of(list);
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
        Some(GroupedList { units, chunks })
    }

    /// Returns the number of positions before each touched chunk, and in total.
    pub(super) fn chunks(&self) -> &[usize] {
        self.chunks.as_deref().unwrap_or(self.units.begins())
    }

    /// Returns the number of positions before each touched decoding unit, and in total.
    pub(super) fn units(&self) -> &[usize] {
        self.units.begins()
    }

    /// Returns `true` if the groups keep the order of the list.
    pub(super) fn is_in_order(&self) -> bool {
        self.units.is_in_order()
    }

    /// Returns the first selected position in the `chunk`-th touched chunk.
    pub(super) fn first_of_chunk(&self, positions: List<'_>, chunk: usize) -> usize {
        let begin = self.chunks()[chunk];
        let unit = self.units().partition_point(|&other| other < begin);
        self.units.first(positions, unit)
    }

    /// Returns the moves of the positions `places` of the grouped list. `places` must begin and end at boundaries of
    /// units.
    pub(super) fn moves<'l>(
        &'l self,
        selection: &'l OuterSelection,
        axis: usize,
        places: Range<usize>,
    ) -> impl Iterator<Item = Move> + use<'l> {
        let group = |place| self.units().partition_point(|&begin| begin < place);
        let list = singles(selection, axis);
        let groups = self
            .units
            .groups(list, group(places.start), group(places.end));
        (0..groups.len()).map(move |at| groups.get(at))
    }

    /// Returns the positions `places` of the grouped list, and the positions in the result that they fill. Both are in
    /// the order of the result.
    pub(super) fn taken<'p>(
        &self,
        selection: &OuterSelection,
        axis: usize,
        places: Range<usize>,
    ) -> [AxisPositions<'p>; 2] {
        let mut moves: Vec<Move> = self.moves(selection, axis, places).collect();
        moves.sort_unstable_by_key(|held| held.to);
        if moves.iter().all(|held| held.len == 1) {
            return [|held: &Move| held.from, |held: &Move| held.to]
                .map(|place| AxisPositions::Singles(moves.iter().map(place).collect()));
        }
        let from = moves.iter().map(|held| AxisRun {
            start: held.from,
            step: held.step,
            len: held.len,
        });
        let to = moves.iter().map(|held| AxisRun {
            start: held.to,
            step: 1,
            len: held.len,
        });
        [
            AxisPositions::Runs(from.collect()),
            AxisPositions::Runs(to.collect()),
        ]
    }
}
