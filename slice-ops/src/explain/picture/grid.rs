//! An array as grids of cells.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::picked::Picked;
use super::slots::Slots;

/// The drawn part of an array.
#[derive(Clone, Debug)]
pub(super) struct Grids {
    /// A grid for each position of the third axis from the end that is drawn; a label alone where some are left out.
    pub(super) grids: Vec<Grid>,
    /// The axes down and across, if there are so many.
    pub(super) down: Option<Ruler>,
    pub(super) across: Option<Ruler>,
    /// Sentences about the axes that are not drawn.
    pub(super) beside: Vec<String>,
}

/// One grid of cells, rows of them.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Which of the grids it is.
    pub(super) label: String,
    /// The rows; none where grids are left out.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// One element, or a place where some are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Elements that are not drawn.
    Gap,
    /// An element that is not selected.
    Other,
    /// The element of this number in the result.
    Selected(usize),
}

/// An axis along a grid.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    pub(super) axis: usize,
    pub(super) slots: Vec<Option<usize>>,
    /// Which of the slots are selected, in the order of the result; none of a result.
    pub(super) visited: Vec<usize>,
    /// Whether an arrow can be drawn along them.
    pub(super) goes_one_way: bool,
}

impl Grids {
    /// The grids of an array. `picked` is what is selected of its axes, none for a result; `place` the position that is
    /// drawn of axes that are neither rows nor columns nor grids, `order` the number of an element in the result, if it
    /// is selected.
    pub(super) fn new(
        shape: &[usize],
        slots: &[Slots],
        picked: &[Picked],
        mut place: Vec<usize>,
        order: impl Fn(&[usize]) -> Option<usize>,
    ) -> Self {
        let mut drawn: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] != 1).collect();
        // Axes of length 1 are drawn where there is space for them.
        for axis in (0..shape.len()).rev().filter(|&axis| shape[axis] == 1) {
            if drawn.len() < 2 && shape.len() <= 3 {
                drawn.push(axis);
            }
        }
        drawn.sort_unstable();
        let drawn = drawn.split_off(drawn.len().saturating_sub(3));
        let beside = (0..shape.len())
            .filter(|axis| !drawn.contains(axis))
            .map(|axis| match shape[axis] {
                1 => format!("axis {axis} has length 1"),
                size => format!(
                    "axis {axis} has length {size}, of which position {} is drawn",
                    place[axis]
                ),
            });
        let beside = beside.collect();

        let ruler = |from_last: usize| {
            let axis = *drawn.get(drawn.len().checked_sub(from_last)?)?;
            Some(Ruler {
                axis,
                slots: slots[axis].0.clone(),
                visited: picked
                    .get(axis)
                    .map_or(Vec::new(), |picked| slots[axis].visited(picked)),
                goes_one_way: picked.get(axis).is_none_or(Picked::goes_one_way),
            })
        };
        let (across, down, mut stacked) = (ruler(1), ruler(2), ruler(3));
        if let Some(stacked) = &mut stacked {
            let selected = |at: usize| {
                let mut place = place.clone();
                place[stacked.axis] = at;
                order(&place).is_some()
            };
            stacked.slots = slots[stacked.axis].few(selected).0;
        }
        let once = |ruler: &Option<Ruler>| {
            ruler
                .as_ref()
                .map_or(Vec::from([Some(0)]), |ruler| ruler.slots.clone())
        };
        let set = |place: &mut [usize], ruler: &Option<Ruler>, at| {
            if let Some(ruler) = ruler {
                place[ruler.axis] = at;
            }
        };
        let grids = once(&stacked).into_iter().map(|at| {
            let Some(at) = at else {
                return Grid {
                    label: "...".into(),
                    rows: Vec::new(),
                };
            };
            set(&mut place, &stacked, at);
            let rows = once(&down).into_iter().map(|row| {
                let cells = once(&across).into_iter().map(|column| {
                    let (Some(row), Some(column)) = (row, column) else {
                        return Cell::Gap;
                    };
                    set(&mut place, &down, row);
                    set(&mut place, &across, column);
                    order(&place).map_or(Cell::Other, Cell::Selected)
                });
                cells.collect()
            });
            let rows = rows.collect();
            let label = stacked.as_ref().map_or(String::new(), |ruler| {
                format!("axis {} at {at}", ruler.axis)
            });
            Grid { label, rows }
        });
        let grids = grids.collect();
        Grids {
            grids,
            down,
            across,
            beside,
        }
    }
}
