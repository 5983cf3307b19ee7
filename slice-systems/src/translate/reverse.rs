//! Translates ranges with a negative step, some of which OpenVINO and ONNX interpret differently from Python.
//!
//! If `begin` lies before the first element, Python clamps it to the position before the first element, and selects
//! nothing. OpenVINO and ONNX clamp `begin` to the first element, and select that element. The results can differ only
//! if `begin` is below -1 and the axis has fewer than `-begin` elements.

use slice_core::Item;

use super::TranslateError;
use super::spec::without_redundant_bounds;

/// Returns a forward range for a reverse range that selects at most one element of every axis, if there is an
/// equivalent forward range. Returns every other item without redundant bounds. All systems interpret forward ranges in
/// the same way.
pub(crate) fn forward_range(written: Item) -> Item {
    let written = without_redundant_bounds(written);
    let Item::Range { begin, end, step } = written else {
        return written;
    };
    if step >= 0 {
        return written;
    }
    let begin = begin.unwrap_or(-1);
    let same_sign = end.is_none_or(|end| (end < 0) == (begin < 0));
    let is_empty = begin == i64::MIN || same_sign && end.is_some_and(|end| end >= begin);
    let is_single = if begin < 0 {
        same_sign && !selects_two(begin, end, step)
    } else {
        // On an axis with at most `begin` elements, every other range with `begin >= 0` starts at the last element, but
        // a forward range from `begin` selects nothing.
        end.map_or(begin == 0, |end| same_sign && begin - end == 1)
    };
    let (begin, end) = match (is_empty, is_single, begin) {
        (true, ..) => (0, Some(0)),
        (_, true, -1) => (-1, None),
        (_, true, _) => (begin, Some(begin + 1)),
        _ => return written,
    };
    let (begin, step) = (Some(begin), 1);
    without_redundant_bounds(Item::Range { begin, end, step })
}

/// Returns `true` if there is an axis length for which a range with a negative step selects at least two elements.
/// `begin` is negative, and `end` is below `begin`, or `None` for a range down to the first element.
fn selects_two(begin: i64, end: Option<i64>, step: i64) -> bool {
    let step = step.unsigned_abs();
    // The longest axis has i64::MAX elements.
    end.is_none_or(|end| begin.abs_diff(end) > step) && step <= (i64::MAX + begin).unsigned_abs()
}

/// Returns the Python range that is equivalent to the OpenVINO or ONNX range `written`.
///
/// # Errors
///
/// Returns [`TranslateError::ReverseBegin`] if Python has no such range.
pub(crate) fn as_python(
    item: usize,
    written: Item,
    system: &'static str,
) -> Result<Item, TranslateError> {
    let Some((begin, end, step)) = range_starting_at_first(&written) else {
        return Ok(written);
    };
    let (begin, end, step) = match end {
        // The range selects the first element of an axis with fewer than `-end` elements, and nothing of a longer axis,
        // as `0:end:-1` does in Python.
        Some(end) if end >= begin => (0, Some(end), -1),
        _ if begin == i64::MIN => (0, Some(1), 1),
        _ if !selects_two(begin, end, step) => (begin, None, -begin),
        _ => return Err(reverse_begin(item, (begin, end, step), system)),
    };
    let begin = Some(begin);
    Ok(Item::Range { begin, end, step })
}

/// Returns an error if OpenVINO and ONNX interpret the Python range `written` differently from Python.
pub(crate) fn check_reverse_begin(
    item: usize,
    written: &Item,
    system: &'static str,
) -> Result<(), TranslateError> {
    match range_starting_at_first(written) {
        Some(range) => Err(reverse_begin(item, range, system)),
        None => Ok(()),
    }
}

/// The `begin`, `end` and step of a range.
type BeginEndStep = (i64, Option<i64>, i64);

/// Returns the `begin`, `end` and step of `written` if it is a reverse range that OpenVINO and ONNX interpret
/// differently from Python on some axes. If `begin` lies before the first element, Python selects nothing, while
/// OpenVINO and ONNX start at the first element.
fn range_starting_at_first(written: &Item) -> Option<BeginEndStep> {
    match *written {
        Item::Range {
            begin: Some(begin),
            end,
            step,
        } if step < 0 && begin < -1 && end.is_none_or(|end| end < -1) => Some((begin, end, step)),
        _ => None,
    }
}

fn reverse_begin(
    item: usize,
    (begin, end, step): BeginEndStep,
    system: &'static str,
) -> TranslateError {
    TranslateError::ReverseBegin {
        item,
        begin,
        end,
        step,
        system,
    }
}
