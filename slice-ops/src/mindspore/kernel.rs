//! The slices that MindSpore's CPU kernel gets wrong.
//!
//! Nobody compares the answer of a translated operation with Python's, so the translation must report when the kernel's
//! answer differs. The kernel is modelled because its mistakes depend on several entries and axes together, which no
//! list of single cases covers.
//!
//! The kernel applies entry `i` to axis `i`, ignoring new axes and an ellipsis before it, and slices all axes. However,
//! if input and output have the same rank and differ in the length of exactly one axis, it slices that axis alone and
//! copies the others unchanged, provided that the work has at least two parts. It counts in 32 bits, and supports up to
//! 8 axes.

use alloc::vec::Vec;

use slice_core::resolve::{index, range_at};
use slice_core::{AxisRange, Item, Selection};

use super::defects;
use crate::translate::defect::Defect;
use crate::translate::spec::WHOLE;

/// The largest number of axes that the kernel copies.
const MAX_RANK: usize = 8;

/// The largest number to which the kernel counts.
const MAX_COUNT: i64 = i32::MAX as i64;

/// Returns the possible defects of these indices and ranges for some shape. Defects that depend on the rank alone are
/// left out.
pub(super) fn possible_kernel_defects(items: &[Item]) -> Vec<Defect> {
    let same_rank = !items.iter().any(|item| matches!(item, Item::Index(_)));
    let sliced = |except: usize| {
        let mut others = items.iter().enumerate();
        others.any(|(at, &item)| at != except && item != WHOLE)
    };
    let mut found = Vec::new();
    let mut add = |defect: Defect, applies: bool| {
        if applies && !found.contains(&defect) {
            found.push(defect);
        }
    };
    for (at, &item) in items.iter().enumerate() {
        let Item::Range { begin, end, step } = item else {
            continue;
        };
        add(
            defects::WIDE_STRIDE,
            !(-MAX_COUNT..=MAX_COUNT).contains(&step),
        );
        // Applies even with indices: the rank stays the same if the array has axes for the ranges only.
        add(defects::DIVISION_BY_ZERO, at > 0 && item != WHOLE);
        if step < 0 {
            // If the axis ends at or before the begin, the kernel does not stop at once. An empty axis ends before
            // every begin.
            let behind = begin.is_some_and(|begin| begin >= 0 && end.is_none_or(|end| end < begin));
            let before = begin.is_some_and(|begin| begin < 0) && end.is_none_or(|end| end < 0);
            add(defects::BEYOND_THE_END, behind || before);
            add(defects::BEFORE_THE_START, before);
            // The range reverses a whole axis.
            let reversed =
                step == -1 && begin.is_none_or(|begin| begin > 0) && end.is_none_or(|end| end < -1);
            add(defects::ONE_AXIS_ONLY, same_rank && reversed && sliced(at));
        }
    }
    found
}

/// Returns the kernel's defects for a selection that is written as these indices, new axes and ranges.
pub(super) fn kernel_defects(items: &[Item], selection: &Selection) -> Vec<Defect> {
    let (shape, output) = (selection.input_shape(), selection.output_shape());
    let mut found = Vec::new();
    if shape.len() > MAX_RANK {
        found.push(defects::RANK);
    }
    if shape.iter().any(|&size| size as u64 > MAX_COUNT as u64) {
        found.push(defects::WIDE_STRIDE);
    }
    if is_shifted(items, selection) {
        found.push(defects::BY_POSITION);
    }
    if let Some(axis) = only_change(shape, output) {
        // Saturates, because a later axis of length 0 allows any length here.
        let sizes = shape[..axis].iter();
        let parts = sizes.fold(1, |parts: usize, &size| parts.saturating_mul(size));
        if parts == 0 {
            found.push(defects::DIVISION_BY_ZERO);
        }
        let copies = if parts == 1 { output[axis] } else { parts };
        // The axis is reversed, or an index drops it while a new axis compensates for its length.
        let mut others = shape.iter().zip(selection.axes()).enumerate();
        let changed = |(at, (&size, &range)): (usize, (&usize, &AxisRange))| {
            at != axis && range != AxisRange::whole(size)
        };
        if copies > 1 && others.any(changed) {
            found.push(defects::ONE_AXIS_ONLY);
        }
    }
    found
}

/// Returns whether applying entry `i` to axis `i` changes the result, because a new axis or an ellipsis comes before
/// it.
fn is_shifted(items: &[Item], selection: &Selection) -> bool {
    let shifts = |item: &Item| matches!(item, Item::NewAxis | Item::Ellipsis);
    if !items.iter().any(shifts) {
        return false;
    }
    let (mut differs, mut nothing) = (false, false);
    let axes = selection.input_shape().iter().zip(selection.axes());
    for (place, (&size, &meant)) in axes.enumerate() {
        let taken = match items.get(place) {
            Some(&Item::Index(at)) => index(at, size).map(AxisRange::single),
            // The entry would begin beyond the axis.
            Some(&Item::Range {
                begin: Some(begin),
                step,
                ..
            }) if step < 0 && begin >= size as i64 => None,
            Some(&Item::Range { begin, end, step }) => {
                range_at(place, place, begin, end, step, size).ok()
            }
            Some(Item::NewAxis | Item::Ellipsis) | None => Some(AxisRange::whole(size)),
        };
        match taken {
            Some(taken) => {
                differs |= taken != meant;
                nothing |= taken.is_empty();
            }
            None => return true,
        }
    }
    if selection.is_empty() {
        !nothing
    } else {
        differs
    }
}

/// Returns the axis whose length changes, if it is the only one and the rank stays the same.
fn only_change(shape: &[usize], output: &[usize]) -> Option<usize> {
    let mut changes = (0..shape.len()).filter(|&axis| output.get(axis) != Some(&shape[axis]));
    let only = changes.next().filter(|_| shape.len() == output.len());
    only.filter(|_| changes.next().is_none())
}
