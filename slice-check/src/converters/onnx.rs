//! Lists converter bugs that affect ONNX's operations.

use slice_core::Item;
use slice_core::resolve::index;
use slice_systems::onnx::Slice;

use super::Condition::{Index, Slice as SliceCondition, UnknownBounds, Unsqueeze};
use super::{
    Condition, Converter, ConverterBug, Input, exceeds_32_bits, selects_differently,
    truncate_to_32_bits,
};
use crate::model::select::{axis_of_entry, entries};

const CANDLE: Converter = Converter("candle-onnx", "0.11.1", None);
const IREE: Converter = Converter("IREE's ONNX importer", "3.13.0", None);
const ONNX2TF: Converter = Converter("onnx2tf", "1.29.24", Some("litert"));
const ONNX2TF_2: Converter = Converter("onnx2tf", "2.6.9", Some("litert"));
const RTEN: Converter = Converter("rten", "0.27.0", None);
const TRACT: Converter = Converter("tract", "0.23.9", None);
const TVM: Converter = Converter("TVM's ONNX frontend", "0.27.0.post1", None);

/// The bugs. Each entry begins with the name of the minimal model that shows the bug.
pub(super) const BUGS: [(ConverterBug, Condition); 18] = [
    ONNX2TF.bug(
        "onnx-empty-01",
        "an end of 0 is treated as the end of the axis",
        SliceCondition(|slice, input| {
            let is_start = |end| end == 0 || end == i64::MIN;
            input.lengths.is_some()
                && entries(slice).any(|(_, _, end, step)| is_start(end) && step > 0)
        }),
    ),
    ONNX2TF.bug(
        "onnx-negative-step-01",
        "the axis is not reversed; the output equals the input",
        SliceCondition(|slice, input| {
            let is_affected = |(at, start, end, step)| {
                step == -1
                    && axis_length(slice, at, input).is_some_and(|length| is_reversal_lost(start, end, length))
            };
            let is_empty = input.lengths.is_some_and(|lengths| lengths.contains(&0));
            !is_empty && are_axes_sorted(slice, input) && entries(slice).any(is_affected)
        }),
    ),
    ONNX2TF.bug(
        "onnx-axes-01",
        "the bounds are applied to the axes in ascending order, not in the order of `axes`",
        SliceCondition(|slice, input| {
            // The converter treats slices with negative steps differently.
            slice.steps.iter().flatten().all(|&step| step > 0) && !are_axes_sorted(slice, input)
        }),
    ),
    ONNX2TF.bug(
        "onnx-minus-one-04",
        "negative bounds are ignored if the length of the axis is unknown",
        SliceCondition(|slice, input| {
            input.lengths.is_none()
                && entries(slice).any(|(_, start, end, step)| step > 0 && (start < 0 || end < 0))
        }),
    ),
    ONNX2TF.bug(
        "onnx-sentinel-31",
        "if the length of the axis is unknown, an end of INT64_MAX is truncated to -1, and the last element is lost",
        SliceCondition(|slice, input| {
            // With a larger step, even the correct result may not contain the last element.
            input.lengths.is_none()
                && entries(slice).any(|(_, _, end, step)| end == i64::MAX && step == 1)
        }),
    ),
    ONNX2TF.bug(
        "onnx-sentinel-29",
        "if `axes` is omitted, the bounds are not applied to the first axes",
        SliceCondition(|slice, input| {
            let has_channels = input.rank.is_some_and(|rank| rank >= 3);
            slice.axes.is_none() && (has_channels || slice.opset < 10)
        }),
    ),
    ONNX2TF.bug(
        "onnx-sentinel-11",
        "ends and steps are truncated to 32 bits",
        SliceCondition(|slice, input| {
            let mut changed = slice.clone();
            // The converter treats an end that becomes 0 or INT32_MIN as the end of the axis, which has the same effect
            // as the original end. Slices with negative steps are covered by other conditions.
            let is_kept = |end| end == i64::MAX || [0, i64::from(i32::MIN)].contains(&truncate_to_32_bits(end));
            for (at, _, end, step) in entries(slice) {
                if step < 0 {
                    continue;
                }
                if !is_kept(end) {
                    changed.ends[at] = truncate_to_32_bits(end);
                }
                if let Some(step) = changed.steps.as_mut().and_then(|steps| steps.get_mut(at)) {
                    *step = truncate_to_32_bits(*step);
                }
            }
            selects_differently(slice, &changed, input)
        }),
    ),
    ONNX2TF.bug(
        "onnx-permutation-04",
        "the bounds of axis 1 and of later axes are exchanged, because axis 1 is moved to the end",
        SliceCondition(|slice, input| {
            let is_forward = slice.steps.iter().flatten().all(|&step| step > 0);
            let changed = with_exchanged_bounds(slice, input).filter(|_| is_forward && are_axes_sorted(slice, input));
            changed.is_some_and(|changed| selects_differently(slice, &changed, input))
        }),
    ),
    ONNX2TF_2.bug(
        "onnx-minus-one-18",
        "a scalar result gets an axis of length 1",
        Index(|spec, input| {
            input.rank == Some(1) && spec.items().all(|item| matches!(item, Item::Index(_)))
        }),
    ),
    ONNX2TF_2.bug(
        "onnx-minus-one-06",
        "if the length of the axis is unknown, LiteRT with XNNPACK treats an end of 0 as the end of the axis",
        SliceCondition(|slice, input| {
            input.lengths.is_none()
                && entries(slice).any(|(_, _, end, step)| end == 0 && step == 1)
        }),
    ),
    IREE.bug(
        "onnx-negative-step-15",
        "with a negative step, a start past the end of the axis causes an out-of-bounds read",
        SliceCondition(|slice, input| {
            let is_past_the_end = |at, start: i64| match axis_length(slice, at, input) {
                Some(length) => start >= length,
                None => start == i64::MAX,
            };
            entries(slice).any(|(at, start, _, step)| step < 0 && is_past_the_end(at, start))
        }),
    ),
    TRACT.bug(
        "onnx-sentinel-11",
        "steps are truncated to 32 bits",
        SliceCondition(|slice, _| slice.steps.iter().flatten().any(|&step| exceeds_32_bits(step))),
    ),
    TRACT.bug(
        "onnx-sentinel-17",
        "starts are truncated to 32 bits",
        SliceCondition(|slice, input| {
            let mut changed = slice.clone();
            for start in &mut changed.starts {
                *start = truncate_to_32_bits(*start);
            }
            selects_differently(slice, &changed, input)
        }),
    ),
    TRACT.bug(
        "onnx-empty-08",
        "an end of INT64_MIN is treated as the end of the axis",
        SliceCondition(|slice, _| {
            entries(slice).any(|(_, _, end, step)| end == i64::MIN && step > 0)
        }),
    ),
    TRACT.bug(
        "onnx-run-time-10",
        "if the bounds are known only at run time and no step is 1, the slice is dropped",
        UnknownBounds(|steps, input| {
            input.lengths.is_some() && !steps.is_empty() && steps.iter().all(|&step| step != 1)
        }),
    ),
    RTEN.bug(
        "onnx-axes-14",
        "if `axes` is omitted, the steps are used as axes",
        SliceCondition(|slice, _| slice.axes.is_none() && slice.steps.is_some()),
    ),
    TVM.bug(
        "onnx-sentinel-12",
        "a step near 2^63 overflows",
        SliceCondition(|slice, _| {
            let mut steps = slice.steps.iter().flatten();
            steps.any(|&step| step.unsigned_abs() > 1 << 62)
        }),
    ),
    CANDLE.bug(
        "onnx-axes-22",
        "several new axes are inserted at incorrect positions",
        Unsqueeze(|axes, input| {
            let Some(rank) = input.rank else { return false };
            let expected = unsqueezed_axes(axes, rank);
            let actual = unsqueezed_axes_in_candle(axes, rank);
            matches!((expected, actual), (Some(expected), Some(actual)) if expected != actual)
        }),
    ),
];

/// Returns the length of the axis to which the entry at the index `at` refers, if known.
fn axis_length(slice: &Slice, at: usize, input: Input<'_>) -> Option<i64> {
    let lengths = input.lengths?;
    let axis = axis_of_entry(slice, at, lengths.len())?;
    i64::try_from(*lengths.get(axis)?).ok()
}

/// Returns whether onnx2tf fails to reverse the axis for a range with a step of -1. This happens if the range selects
/// the whole axis, if both bounds lie before the first position, or if the start is -1 and the range is not empty.
fn is_reversal_lost(start: i64, end: i64, length: i64) -> bool {
    let is_before = |bound: i64| bound < 0 && bound.saturating_add(length) < 0;
    let is_all = start.saturating_add(if start < 0 { length } else { 0 }) >= length - 1;
    let starts_at_last =
        start == -1 && end < length - 1 && end.saturating_add(length) != length - 1;
    length > 0 && (is_before(end) && (is_all || is_before(start)) || starts_at_last)
}

/// Returns the listed axes, counted from the front if the rank is known. Returns `None` if an axis does not exist.
fn axes_from_front(slice: &Slice, input: Input<'_>) -> Option<Vec<i64>> {
    let axis = |&axis: &i64| match input.rank {
        Some(rank) => index(axis, rank).and_then(|axis| i64::try_from(axis).ok()),
        None => Some(axis),
    };
    slice.axes.iter().flatten().map(axis).collect()
}

/// Returns whether the listed axes are in ascending order. Returns `true` if an axis does not exist.
fn are_axes_sorted(slice: &Slice, input: Input<'_>) -> bool {
    axes_from_front(slice, input).is_none_or(|axes| axes.is_sorted())
}

/// Returns the slice as onnx2tf applies it: axis 1 is moved to the end, and the bounds are then applied to the axes in
/// ascending order. Returns `None` if the rank is unknown or below 3, if no axes are listed, or if a listed axis does
/// not exist.
fn with_exchanged_bounds(slice: &Slice, input: Input<'_>) -> Option<Slice> {
    let last = i64::try_from(input.rank?).ok()? - 1;
    let to_moved = |axis: i64| match axis {
        0 => 0,
        1 => last,
        _ => axis - 1,
    };
    let to_original = |axis: i64| match axis {
        0 => 0,
        _ if axis == last => 1,
        _ => axis + 1,
    };
    let mut axes: Vec<i64> = axes_from_front(slice, input)?
        .into_iter()
        .map(to_moved)
        .collect();
    axes.sort_unstable();
    (last >= 2 && !axes.is_empty()).then(|| Slice {
        axes: Some(axes.into_iter().map(to_original).collect()),
        ..slice.clone()
    })
}

/// Returns the input axis of each axis of the result, with `None` for each new axis. Returns `None` if an axis in
/// `axes` does not exist.
fn unsqueezed_axes(axes: &[i64], rank: usize) -> Option<Vec<Option<usize>>> {
    let total = rank.checked_add(axes.len())?;
    let mut is_new = vec![false; total];
    for &axis in axes {
        is_new[index(axis, total)?] = true;
    }
    let mut next = 0..rank;
    let output_axes = is_new.iter().map(|&is_new| match is_new {
        true => None,
        false => next.next(),
    });
    Some(output_axes.collect())
}

/// Returns the axes of the result like [`unsqueezed_axes`], but as candle-onnx 0.11.1 inserts them: it interprets the
/// number of each new axis as if there were no other new axes, and inserts the new axes in descending order.
fn unsqueezed_axes_in_candle(axes: &[i64], rank: usize) -> Option<Vec<Option<usize>>> {
    let axis_from_front = |&axis: &i64| match usize::try_from(axis) {
        Ok(axis) => (axis <= rank).then_some(axis),
        Err(_) => index(axis, rank.checked_add(1)?),
    };
    let mut axes: Vec<usize> = axes.iter().map(axis_from_front).collect::<Option<_>>()?;
    axes.sort_unstable();
    let mut output_axes: Vec<Option<usize>> = (0..rank).map(Some).collect();
    for &axis in axes.iter().rev() {
        output_axes.insert(axis, None);
    }
    Some(output_axes)
}
