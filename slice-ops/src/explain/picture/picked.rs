//! The selected positions of an axis: positions with a constant step, or positions from a list.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slice_core::AxisRange;

/// The selected positions of an axis.
#[derive(Clone, Debug)]
pub(super) enum Picked {
    Range(AxisRange),
    List {
        positions: Vec<usize>,
        /// For each position, the index of its first occurrence in `positions`.
        places: BTreeMap<usize, usize>,
    },
}

impl Picked {
    pub(super) fn of_list(positions: &[usize]) -> Self {
        let places = positions.iter().enumerate().rev();
        Picked::List {
            positions: positions.to_vec(),
            places: places.map(|(place, &position)| (position, place)).collect(),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Picked::Range(range) => range.len(),
            Picked::List { positions, .. } => positions.len(),
        }
    }

    /// Returns the first position, or 0 if there is none.
    pub(super) fn first(&self) -> usize {
        match self {
            Picked::Range(range) => range.start(),
            Picked::List { positions, .. } => positions.first().copied().unwrap_or(0),
        }
    }

    /// Returns the `k`-th position, for `k < len`.
    pub(super) fn position(&self, k: usize) -> usize {
        match self {
            Picked::Range(range) => range.position(k),
            Picked::List { positions, .. } => positions[k],
        }
    }

    /// Returns `true` if the positions only ascend or only descend, so that an arrow can show their direction.
    pub(super) fn goes_one_way(&self) -> bool {
        match self {
            Picked::Range(_) => true,
            Picked::List { positions, .. } => {
                positions.is_sorted() || positions.iter().rev().is_sorted()
            }
        }
    }

    /// Returns the index of the first occurrence of `position` among the selected positions, or `None` if it is not
    /// selected.
    pub(super) fn index_of(&self, position: usize) -> Option<usize> {
        let range = match self {
            Picked::Range(range) => range,
            Picked::List { places, .. } => return places.get(&position).copied(),
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
