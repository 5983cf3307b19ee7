//! Lays out an array as grids of cells.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::drawn_positions::DrawnPositions;
use super::slots::Slots;

/// The drawn part of an array.
#[derive(Clone, Debug)]
pub(super) struct Grids {
    /// One grid for each drawn position on the first of three drawn axes, or a single grid if fewer axes are drawn. A
    /// grid that consists only of a label takes the place of omitted positions.
    pub(super) grids: Vec<Grid>,
    /// The vertical axis, if there is one.
    pub(super) down: Option<Ruler>,
    /// The horizontal axis, if there is one.
    pub(super) across: Option<Ruler>,
    /// A sentence about each axis that is not drawn.
    pub(super) undrawn_axes: Vec<String>,
}

/// A grid of cells, in rows.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// The label of the grid.
    pub(super) label: String,
    /// The rows; empty if the label stands for omitted grids.
    pub(super) rows: Vec<Vec<Cell>>,
}

/// A cell of a grid: an element, or a gap in place of omitted elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cell {
    /// Omitted elements.
    Gap,
    /// An element that is not selected.
    Other,
    /// A selected element, with its number in the order of the result.
    Selected(usize),
}

/// An axis that is drawn along one side of a grid.
#[derive(Clone, Debug)]
pub(super) struct Ruler {
    pub(super) axis: usize,
    /// The drawn positions of the axis in order, with `None` where positions are omitted.
    pub(super) slots: Vec<Option<usize>>,
    /// The selected slots, in the order of the result; empty if the grids show the result of a slice.
    pub(super) selected_slots: Vec<usize>,
    /// Whether the selected positions only ascend or only descend, so that an arrow can show their direction.
    pub(super) is_monotonic: bool,
}

impl Grids {
    /// Creates the grids of an array. `selected` contains the selected positions of each axis, or is empty if the array
    /// is the result of a slice. `position` contains a position for each axis, which is used if the axis is not drawn.
    /// `order` is called with the position of an element on each axis. It returns the number of the element in the
    /// order of the result, or `None` if the element is not selected.
    pub(super) fn new(
        shape: &[usize],
        slots: &[Slots],
        selected: &[DrawnPositions],
        mut position: Vec<usize>,
        order: impl Fn(&[usize]) -> Option<usize>,
    ) -> Self {
        let mut drawn: Vec<usize> = (0..shape.len()).filter(|&axis| shape[axis] != 1).collect();
        // Axes of length 1 are drawn only in arrays with at most three axes, until two axes are drawn.
        for axis in (0..shape.len()).rev().filter(|&axis| shape[axis] == 1) {
            if drawn.len() < 2 && shape.len() <= 3 {
                drawn.push(axis);
            }
        }
        drawn.sort_unstable();
        let drawn = drawn.split_off(drawn.len().saturating_sub(3));
        let undrawn_axes = (0..shape.len())
            .filter(|axis| !drawn.contains(axis))
            .map(|axis| match shape[axis] {
                1 => format!("axis {axis} has length 1"),
                _ => format!("only position {} of axis {axis} is drawn", position[axis]),
            });
        let undrawn_axes = undrawn_axes.collect();

        let ruler = |from_last: usize| {
            let axis = *drawn.get(drawn.len().checked_sub(from_last)?)?;
            Some(Ruler {
                axis,
                slots: slots[axis].0.clone(),
                selected_slots: selected
                    .get(axis)
                    .map_or(Vec::new(), |selected| slots[axis].selected_slots(selected)),
                is_monotonic: selected.get(axis).is_none_or(DrawnPositions::is_monotonic),
            })
        };
        let (across, down, mut stacked) = (ruler(1), ruler(2), ruler(3));
        if let Some(stacked) = &mut stacked {
            let is_selected = |layer: usize| {
                let mut position = position.clone();
                position[stacked.axis] = layer;
                order(&position).is_some()
            };
            stacked.slots = slots[stacked.axis].limited_to_grids(is_selected).0;
        }
        let slots_of = |ruler: &Option<Ruler>| {
            ruler
                .as_ref()
                .map_or(Vec::from([Some(0)]), |ruler| ruler.slots.clone())
        };
        let set = |position: &mut [usize], ruler: &Option<Ruler>, drawn_position| {
            if let Some(ruler) = ruler {
                position[ruler.axis] = drawn_position;
            }
        };
        let grids = slots_of(&stacked).into_iter().map(|layer| {
            let Some(layer) = layer else {
                return Grid {
                    label: "...".into(),
                    rows: Vec::new(),
                };
            };
            set(&mut position, &stacked, layer);
            let rows = slots_of(&down).into_iter().map(|row| {
                let cells = slots_of(&across).into_iter().map(|column| {
                    let (Some(row), Some(column)) = (row, column) else {
                        return Cell::Gap;
                    };
                    set(&mut position, &down, row);
                    set(&mut position, &across, column);
                    order(&position).map_or(Cell::Other, Cell::Selected)
                });
                cells.collect()
            });
            let rows = rows.collect();
            let label = stacked.as_ref().map_or(String::new(), |ruler| {
                format!("axis {}, position {layer}", ruler.axis)
            });
            Grid { label, rows }
        });
        let grids = grids.collect();
        Grids {
            grids,
            down,
            across,
            undrawn_axes,
        }
    }
}
