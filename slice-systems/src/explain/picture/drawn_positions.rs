//! Represents the selected positions of an axis, which have a constant step or come from a list.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slice_core::AxisRange;

/// The selected positions of an axis.
#[derive(Clone, Debug)]
pub(super) enum DrawnPositions {
    Range(AxisRange),
    List {
        positions: Vec<usize>,
        /// For each position, the index of its first occurrence in `positions`.
        first_occurrences: BTreeMap<usize, usize>,
    },
}

impl DrawnPositions {
    pub(super) fn of_list(positions: &[usize]) -> Self {
        let occurrences = positions.iter().enumerate().rev();
        DrawnPositions::List {
            positions: positions.to_vec(),
            first_occurrences: occurrences.map(|(i, &position)| (position, i)).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            DrawnPositions::Range(range) => range.len(),
            DrawnPositions::List { positions, .. } => positions.len(),
        }
    }

    /// Returns the first position, or 0 if there is none.
    pub(super) fn first(&self) -> usize {
        match self {
            DrawnPositions::Range(range) => range.start(),
            DrawnPositions::List { positions, .. } => positions.first().copied().unwrap_or(0),
        }
    }

    /// Returns the position with the index `k`, which must be less than `len`.
    pub(super) fn position(&self, k: usize) -> usize {
        match self {
            DrawnPositions::Range(range) => range.position(k),
            DrawnPositions::List { positions, .. } => positions[k],
        }
    }

    /// Returns `true` if the positions only ascend or only descend, so that an arrow can show their direction.
    pub(super) fn is_monotonic(&self) -> bool {
        match self {
            DrawnPositions::Range(_) => true,
            DrawnPositions::List { positions, .. } => {
                positions.is_sorted() || positions.iter().rev().is_sorted()
            }
        }
    }

    /// Returns the index of the first occurrence of `position` among the selected positions, or `None` if it is not
    /// selected.
    pub(super) fn index_of(&self, position: usize) -> Option<usize> {
        let range = match self {
            DrawnPositions::Range(range) => range,
            DrawnPositions::List {
                first_occurrences, ..
            } => return first_occurrences.get(&position).copied(),
        };
        let step = range.step().unsigned_abs();
        let distance = if range.step() > 0 {
            position.checked_sub(range.start())?
        } else {
            range.start().checked_sub(position)?
        };
        (distance % step == 0 && distance / step < range.len()).then_some(distance / step)
    }
}
