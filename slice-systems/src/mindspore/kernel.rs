//! Predicts for which slices MindSpore's CPU kernel returns incorrect results.
//!
//! Users of a translated operation do not compare its result with Python's, so the translation must report when the
//! kernel's result differs. This module models the kernel, because a defect may depend on a combination of entries and
//! axes, and the combinations cannot all be listed.
//!
//! The kernel applies each entry `i` (see [`mindspore`](super) for the terms) to axis `i`, even if new axes or an
//! ellipsis come before the entry, and slices all axes. However, if the input and the output have the same rank and
//! differ in the length of exactly one axis, the kernel slices only that axis and copies the others unchanged. It does
//! so only if the copy can be divided into at least two parts for its threads. There is one part for each combination
//! of positions on the axes before the sliced axis or, if there is only one combination, for each selected position on
//! the sliced axis.
//!
//! The kernel computes with 32-bit integers, and supports at most 8 axes.

use alloc::vec::Vec;

use slice_core::resolve::{index, range_at};
use slice_core::{AxisRange, Item, Selection};

use super::defects;
use crate::translate::defect::Defect;
use crate::translate::spec::WHOLE;

/// The maximum number of axes that the kernel supports.
const MAX_KERNEL_RANK: usize = 8;

/// The largest signed 32-bit integer. The kernel handles neither larger strides nor longer axes.
const INT32_MAX: i64 = i32::MAX as i64;

/// Returns the defects that affect `items` for at least one shape. The items must be indices and ranges.
/// [`defects::HIGH_RANK`] is omitted, because it depends only on the number of axes.
pub(super) fn possible_kernel_defects(items: &[Item]) -> Vec<Defect> {
    let same_rank = !items.iter().any(|item| matches!(item, Item::Index(_)));
    let slices_other_axis = |axis: usize| {
        let mut others = items.iter().enumerate();
        others.any(|(other, item)| other != axis && *item != WHOLE)
    };
    let mut found_defects = Vec::new();
    let mut add = |defect: Defect, applies: bool| {
        if applies && !found_defects.contains(&defect) {
            found_defects.push(defect);
        }
    };
    for (axis, item) in items.iter().enumerate() {
        let &Item::Range { begin, end, step } = item else {
            continue;
        };
        add(
            defects::WIDE_STRIDE,
            !(-INT32_MAX..=INT32_MAX).contains(&step),
        );
        // This defect applies even if there are indices: if the array has only as many axes as there are ranges, the
        // output has the rank of the input, and the kernel divides by zero before MindSpore detects that there are more
        // entries than axes.
        add(defects::DIVISION_BY_ZERO, axis > 0 && *item != WHOLE);
        if step < 0 {
            // If the `begin` is at or beyond the end of the axis, the kernel starts one position beyond the axis. On an
            // empty axis, every begin is at or beyond the end.
            let begins_beyond =
                begin.is_some_and(|begin| begin >= 0 && end.is_none_or(|end| end < begin));
            let begins_before =
                begin.is_some_and(|begin| begin < 0) && end.is_none_or(|end| end < 0);
            add(defects::BEYOND_THE_END, begins_beyond || begins_before);
            add(defects::BEFORE_THE_START, begins_before);
            // This is `true` if the range reverses the whole axis for at least one axis length.
            let can_reverse_axis =
                step == -1 && begin.is_none_or(|begin| begin > 0) && end.is_none_or(|end| end < -1);
            add(
                defects::ONE_AXIS_ONLY,
                same_rank && can_reverse_axis && slices_other_axis(axis),
            );
        }
    }
    found_defects
}

/// Returns the kernel's defects that affect `selection` if it is written as `items`.
pub(super) fn kernel_defects(items: &[Item], selection: &Selection) -> Vec<Defect> {
    let (shape, output) = (selection.input_shape(), selection.output_shape());
    let mut found_defects = Vec::new();
    if shape.len() > MAX_KERNEL_RANK {
        found_defects.push(defects::HIGH_RANK);
    }
    if shape.iter().any(|&size| size as u64 > INT32_MAX as u64) {
        found_defects.push(defects::WIDE_STRIDE);
    }
    if is_shifted(items, selection) {
        found_defects.push(defects::WRONG_AXIS);
    }
    if let Some(axis) = only_changed_axis(shape, output) {
        // The product may overflow if a later axis has length 0, so the multiplication saturates.
        let sizes = shape[..axis].iter();
        let combinations = sizes.fold(1, |product: usize, &size| product.saturating_mul(size));
        if combinations == 0 {
            found_defects.push(defects::DIVISION_BY_ZERO);
        }
        let parts = if combinations == 1 {
            output[axis]
        } else {
            combinations
        };
        // Axes other than `axis` may be changed although their lengths stay the same, because a range reverses an axis,
        // or because an index drops an axis that a new axis replaces.
        let ranges = selection.axes().into_iter().flatten();
        let mut others = shape.iter().zip(ranges).enumerate();
        let changed = |(other, (&size, &range)): (usize, (&usize, &AxisRange))| {
            other != axis && range != AxisRange::whole(size)
        };
        if parts > 1 && others.any(changed) {
            found_defects.push(defects::ONE_AXIS_ONLY);
        }
    }
    found_defects
}

/// Returns `true` if the kernel's result differs from `selection` because the kernel applies each entry `i` to axis
/// `i`, even after a new axis or an ellipsis.
fn is_shifted(items: &[Item], selection: &Selection) -> bool {
    let shifts = |item: &Item| matches!(item, Item::NewAxis | Item::Ellipsis);
    if !items.iter().any(shifts) {
        return false;
    }
    let (mut differs, mut is_empty) = (false, false);
    let ranges = selection.axes().into_iter().flatten();
    let axes = selection.input_shape().iter().zip(ranges);
    for (axis, (&size, &expected)) in axes.enumerate() {
        let kernel_range = match items.get(axis) {
            Some(&Item::Index(written)) => index(written, size).map(AxisRange::single),
            // The kernel would read beyond the axis, so its result differs.
            Some(&Item::Range {
                begin: Some(begin),
                step,
                ..
            }) if step < 0 && begin >= size as i64 => None,
            Some(&Item::Range { begin, end, step }) => {
                range_at(axis, axis, begin, end, step, size).ok()
            }
            Some(_) | None => Some(AxisRange::whole(size)),
        };
        match kernel_range {
            Some(range) => {
                differs |= range != expected;
                is_empty |= range.is_empty();
            }
            None => return true,
        }
    }
    if selection.is_empty() {
        !is_empty
    } else {
        differs
    }
}

/// Returns the axis whose lengths in `shape` and `output` differ, if there is exactly one such axis, and if both have
/// the same rank.
fn only_changed_axis(shape: &[usize], output: &[usize]) -> Option<usize> {
    let mut changes = (0..shape.len()).filter(|&axis| output.get(axis) != Some(&shape[axis]));
    let first_change = changes.next().filter(|_| shape.len() == output.len());
    first_change.filter(|_| changes.next().is_none())
}
