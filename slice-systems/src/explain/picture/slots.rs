//! Chooses the positions of an axis that are drawn.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use super::drawn_positions::DrawnPositions;

/// The maximum length of an axis of which all positions are drawn.
const MAX_FULLY_DRAWN_LEN: usize = 12;

/// The number of positions drawn at each end of a result axis that is too long to be drawn in full.
const POSITIONS_AT_EACH_END: usize = 3;

/// If at most this many positions of an axis are drawn, a grid is drawn for each of them.
const MAX_GRIDS: usize = 6;

/// The slots of an axis: its drawn positions in order, with `None` where positions are omitted.
#[derive(Clone, Debug)]
pub(super) struct Slots(pub(super) Vec<Option<usize>>);

impl Slots {
    /// Returns the slots of an axis of the result, without gaps.
    pub(super) fn of_result(size: usize) -> Self {
        if size <= MAX_FULLY_DRAWN_LEN {
            return Slots((0..size).map(Some).collect());
        }
        let ends = (0..POSITIONS_AT_EACH_END).chain(size - POSITIONS_AT_EACH_END..size);
        Slots(ends.map(Some).collect())
    }

    /// Returns the slots of an axis of the array. `selected` contains the selected positions of the axis, and `shown`
    /// the slots of the corresponding axis of the result.
    pub(super) fn of_input(size: usize, selected: &DrawnPositions, shown: &Slots) -> Self {
        let shown = shown.0.iter().flatten().filter(|&&k| k < selected.len());
        Slots::around(size, shown.map(|&k| selected.position(k)))
    }

    /// Returns the slots of an axis of length `size`. If the axis is too long to be drawn in full, the positions in
    /// `shown` and both ends are drawn.
    pub(super) fn around(size: usize, shown: impl IntoIterator<Item = usize>) -> Self {
        if size <= MAX_FULLY_DRAWN_LEN {
            return Slots((0..size).map(Some).collect());
        }
        let shown = shown.into_iter().chain([0, 1, size - 2, size - 1]);
        let positions: BTreeSet<usize> = shown.collect();
        Slots(positions.into_iter().map(Some).collect()).with_gaps()
    }

    /// Inserts a gap, `None`, where more than one position is omitted, and the omitted position where there is only
    /// one.
    pub(super) fn with_gaps(self) -> Self {
        let mut closed = Vec::new();
        let mut next = 0;
        for &slot in self.0.iter().flatten() {
            match slot - next {
                0 => {}
                // A gap would take as much space as the omitted position.
                1 => closed.push(Some(slot - 1)),
                _ => closed.push(None),
            }
            closed.push(Some(slot));
            next = slot + 1;
        }
        Slots(closed)
    }

    /// Returns at most as many positions as grids can be drawn: all positions if possible, or else both ends and up to
    /// three selected positions. Gaps are not counted.
    pub(super) fn limited_to_grids(&self, is_selected: impl Fn(usize) -> bool) -> Self {
        let all = || self.0.iter().flatten().copied();
        if all().count() <= MAX_GRIDS {
            return self.clone();
        }
        let mut chosen = all().filter(|&position| is_selected(position));
        let mut drawn = BTreeSet::from_iter(all().next().into_iter().chain(all().next_back()));
        drawn.extend(chosen.next());
        drawn.extend(chosen.next());
        drawn.extend(chosen.next_back());
        Slots(drawn.into_iter().map(Some).collect()).with_gaps()
    }

    /// Returns the indices of the selected slots, in the order of the result.
    pub(super) fn selected_slots(&self, selected: &DrawnPositions) -> Vec<usize> {
        let slots = self.0.iter().enumerate();
        let indices = slots.filter_map(|(i, &slot)| Some((selected.index_of(slot?)?, i)));
        let mut indices: Vec<(usize, usize)> = indices.collect();
        indices.sort_unstable();
        indices.into_iter().map(|(_, i)| i).collect()
    }
}
