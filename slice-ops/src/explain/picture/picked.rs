//! The selection of an axis: positions at a constant step, or positions of a list.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use slice_core::AxisRange;

/// The selected positions of an axis.
#[derive(Clone, Debug)]
pub(super) enum Picked {
    Range(AxisRange),
    List {
        positions: Vec<usize>,
        /// The first place of each position in the list.
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

    /// Returns the first position; 0 if there is none.
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

    /// Returns `true` if the positions all go in one direction, which allows an arrow along them.
    pub(super) fn goes_one_way(&self) -> bool {
        match self {
            Picked::Range(_) => true,
            Picked::List { positions, .. } => {
                positions.is_sorted() || positions.iter().rev().is_sorted()
            }
        }
    }

    /// Returns the place of a position in the result, if it is selected.
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
