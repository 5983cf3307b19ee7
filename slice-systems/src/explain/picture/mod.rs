//! Draws a slice. The array is drawn as grids of cells, in which the selected cells are numbered in the order of the
//! result. The result is drawn beside or below the array, and a table of the items at the bottom. In SVG, arrows below
//! and beside each grid lead from the first selected position of an axis to the last, with a dot at each selected
//! position.
//!
//! If a list selects an element more than once, only the first of its numbers is drawn. If the positions in a list are
//! in neither ascending nor descending order, the dots are drawn without an arrow.
//!
//! Of the axes whose length is not 1, at most three are drawn: the last one horizontally, the one before it vertically,
//! and the one before that as a sequence of grids, one for each position. Only one position of each earlier axis is
//! drawn. On long axes, some of the positions are omitted.

mod drawn_positions;
mod grid;
mod items;
mod slots;
mod svg;
mod text;

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slice_core::AxisRange;
use slice_core::resolve::element_count;

use super::Explanation;
use super::entry::Entry;
use super::table::Shape;
use drawn_positions::DrawnPositions;
use grid::Grids;
use items::Items;
use slots::Slots;

/// A picture of a slice: the array, the result and the items.
///
/// `Display` writes plain text, on lines with at most 100 characters where possible.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let picture = s![1:, ::-2].explain(&[2, 4]).picture().expect("the slice should fit the shape");
/// assert_eq!(
///     picture.to_string(),
///     "\
/// x[1:, ::-2] applied to shape (2, 4)
///        0  1  2  3   axis 1
///   0    .  .  .  .
///   1    .  1  .  0
/// axis 0
///
/// the result, of shape (1, 2)
///        0  1   axis 1
///   0    0  1
/// axis 0
///
///                   axis 0        axis 1
/// item              1:            ::-2
/// begin             1             default -> 3
/// end               default -> 2  default -> before 0
/// step              1             -2
/// begin_mask        0             1                    = 2
/// end_mask          1             1                    = 3
/// ellipsis_mask     0             0                    = 0
/// new_axis_mask     0             0                    = 0
/// shrink_axis_mask  0             0                    = 0
/// "
/// );
/// assert!(picture.to_svg().starts_with("<svg "));
/// ```
#[derive(Clone, Debug)]
pub struct Picture {
    subject: String,
    input_shape: Vec<usize>,
    output_shape: Vec<usize>,
    input: Grids,
    result: Grids,
    items: Items,
    /// An exclusive upper bound on the numbers in the cells. The shade of a cell is computed from its number and this
    /// bound.
    len: usize,
}

impl Explanation {
    /// Returns a picture of the slice, or `None` if the slice does not fit the array.
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::Explain;
    ///
    /// assert!(s![::2].explain(&[4]).picture().is_some());
    /// assert!(s![7].explain(&[4]).picture().is_none()); // out of bounds
    /// ```
    #[must_use]
    pub fn picture(&self) -> Option<Picture> {
        let Ok(output_shape) = &self.output_shape else {
            return None;
        };
        let len = element_count(output_shape).ok()?;
        let strides = strides(output_shape);
        let whole = self.input_shape.iter();
        let whole = whole.map(|&size| DrawnPositions::Range(AxisRange::whole(size)));
        let mut selected: Vec<DrawnPositions> = whole.collect();
        let results: Vec<Slots> = output_shape
            .iter()
            .map(|&size| Slots::of_result(size))
            .collect();
        let one = Slots::of_result(1);
        let mut shown: Vec<Slots> = selected.iter().map(|_| one.clone()).collect();
        let mut joined = Vec::new();
        let is_joined =
            |a: &Entry, b: &Entry| a.list.is_some() && b.list.is_some() && a.item == b.item;
        let mut entries = self.entries.chunk_by(is_joined).peekable();
        while let Some(entries_of_item) = entries.next() {
            let axes: Vec<usize> = entries_of_item
                .iter()
                .filter_map(|entry| entry.axis)
                .collect();
            for (entry, &axis) in entries_of_item.iter().zip(&axes) {
                let listed = entry.list.as_ref().and_then(|list| list.positions.as_ref());
                match (listed, entry.selected) {
                    (Some(list), _) => selected[axis] = DrawnPositions::of_list(list),
                    (None, Some(range)) => selected[axis] = DrawnPositions::Range(range),
                    (None, None) => {}
                }
            }
            let Some(&first) = axes.first() else { continue };
            // The axes of the result between this item and the next one are those of this item.
            let output = entries_of_item[0].output_axis;
            let following = entries
                .clone()
                .flatten()
                .find_map(|entry| entry.output_axis);
            let end = following.unwrap_or(output_shape.len());
            let outputs = output.map_or(0..0, |output| output..end);
            let stride = outputs.clone().last().map_or(0, |last| strides[last]);
            let slots = match outputs.len() {
                1 => results[outputs.start].clone(),
                _ => Slots::of_result(selected[first].len()),
            };
            for &axis in &axes {
                shown[axis] = slots.clone();
            }
            joined.push(JoinedAxes::new(axes, &selected, stride));
        }
        let inputs = selected.iter().zip(&self.input_shape).zip(&shown);
        let inputs =
            inputs.map(|((selected, &size), shown)| Slots::of_input(size, selected, shown));
        let inputs: Vec<Slots> = inputs.collect();
        let results: Vec<Slots> = results.into_iter().map(Slots::with_gaps).collect();

        let first = selected.iter().map(DrawnPositions::first).collect();
        let input = Grids::new(&self.input_shape, &inputs, &selected, first, |position| {
            let orders = joined
                .iter()
                .map(|joined| joined.order(position, &selected));
            let order = orders.sum::<Option<usize>>()?;
            (len > 0).then_some(order)
        });
        let first = output_shape.iter().map(|_| 0).collect();
        let result = Grids::new(output_shape, &results, &[], first, |position| {
            let terms = position.iter().zip(&strides);
            (len > 0).then(|| {
                terms
                    .map(|(&axis_position, &stride)| axis_position * stride)
                    .sum()
            })
        });
        Some(Picture {
            subject: self.subject.clone(),
            input_shape: self.input_shape.clone(),
            output_shape: output_shape.clone(),
            input,
            result,
            items: Items::new(self),
            len,
        })
    }
}

/// The axes to which one item applies.
struct JoinedAxes {
    axes: Vec<usize>,
    /// For the positions on several axes, the index of their first occurrence in the lists; empty for one axis.
    first_occurrences: BTreeMap<Vec<usize>, usize>,
    /// The distance in the result between elements at neighboring places in the lists.
    stride: usize,
}

impl JoinedAxes {
    fn new(axes: Vec<usize>, selected: &[DrawnPositions], stride: usize) -> Self {
        let places = match axes[..] {
            [first, _, ..] => 0..selected[first].len(),
            _ => 0..0,
        };
        let occurrences = places.rev().map(|place| {
            let positions = axes.iter().map(|&axis| selected[axis].position(place));
            (positions.collect(), place)
        });
        let first_occurrences = occurrences.collect();
        JoinedAxes {
            axes,
            first_occurrences,
            stride,
        }
    }

    /// Returns the number that the axes contribute to the order of the element at `position`, or `None` if the item does
    /// not select it.
    fn order(&self, position: &[usize], selected: &[DrawnPositions]) -> Option<usize> {
        let place = match self.axes[..] {
            [axis] => selected[axis].index_of(position[axis])?,
            _ => {
                let positions: Vec<usize> = self.axes.iter().map(|&axis| position[axis]).collect();
                *self.first_occurrences.get(&positions)?
            }
        };
        Some(place.saturating_mul(self.stride))
    }
}

/// Returns the C-order stride of each axis, in elements.
fn strides(shape: &[usize]) -> Vec<usize> {
    let mut strides: Vec<usize> = shape.iter().map(|_| 1).collect();
    for axis in (1..shape.len()).rev() {
        // The product may saturate if the shape has an empty axis. The strides are then unused.
        strides[axis - 1] = strides[axis].saturating_mul(shape[axis]);
    }
    strides
}

impl Picture {
    /// Returns the title: the slice and the shape of the array.
    fn title(&self) -> String {
        format!(
            "{} applied to shape {}",
            self.subject,
            Shape(&self.input_shape)
        )
    }

    /// Returns the shade of an element, from 0 for the first to 4 for the last.
    fn shade(&self, order: usize) -> usize {
        // The product is computed in 128 bits, where it cannot overflow.
        (order as u128 * 5 / self.len.max(1) as u128).min(4) as usize
    }
}
