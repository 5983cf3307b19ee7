//! Converter bugs that affect TensorFlow's `StridedSlice`.

use slice_ops::tensorflow::StridedSlice;

use super::Condition::StridedSlice as OfSlice;
use super::{Condition, Converter, Input, Mistake, differ, is_wide, truncated};

const CORE_ML: Converter = Converter("coremltools", "9.0", Some("coreml"));
const LITERT: Converter = Converter("TensorFlow's LiteRT converter", "2.21.0", Some("litert"));
const TF2ONNX: Converter = Converter("tf2onnx", "1.17.0", Some("onnx"));

pub(super) const MISTAKES: [(Mistake, Condition); 7] = [
    TF2ONNX.mistake(
        "tf-minus-one-15",
        "with a negative begin, an end of 0 is treated as the end of the axis",
        OfSlice(|slice, _| {
            ranges(slice).any(|range| {
                let Range { begin, end, stride, .. } = range;
                begin < 0 && end == 0 && stride > 0 && range.masks == [false; 2]
            })
        }),
    ),
    TF2ONNX.mistake(
        "tf-sentinel-08",
        "an end of INT_MAX with a negative stride is copied, but ONNX Runtime interprets it differently",
        OfSlice(|slice, _| {
            let is_most = |end| [i64::from(i32::MAX), i64::MAX].contains(&end);
            ranges(slice).any(|range| is_most(range.end) && range.stride < 0 && !range.masks[1])
        }),
    ),
    LITERT.mistake(
        "tf-sentinel-16",
        "strides are truncated to 32 bits",
        OfSlice(|slice, _| slice.strides.iter().any(|&stride| is_wide(stride))),
    ),
    LITERT.mistake(
        "tf-sentinel-11",
        "begins and ends are truncated to 32 bits",
        OfSlice(|slice, input| {
            let Some(lengths) = input.lengths else {
                return false;
            };
            // The converter stores an empty result as a constant. With a positive stride, XNNPACK treats an end that
            // becomes 0 as the end of the axis, which has the same effect as the original end.
            let is_empty = slice.resolve(lengths).is_ok_and(|all| all.is_empty());
            let mut changed = slice.clone();
            for range in ranges(slice) {
                let Range { at, begin, end, stride, .. } = range;
                changed.begin[at] = truncated(begin);
                if truncated(end) != 0 || stride < 0 {
                    changed.end[at] = truncated(end);
                }
            }
            !is_empty && becomes(slice, &changed, input)
        }),
    ),
    LITERT.mistake(
        "tf-empty-22",
        "if the length of the axis is unknown, XNNPACK treats an end of 0 as the end of the axis",
        OfSlice(|slice, input| {
            let is_end = |range: Range| range.end == 0 && range.stride == 1 && !range.masks[1];
            input.lengths.is_none() && ranges(slice).any(is_end)
        }),
    ),
    CORE_ML.mistake(
        "tf-minus-one-11",
        "with a negative stride and an end before the first element, the first element is not selected",
        OfSlice(|slice, input| {
            let leaves_out = |range: Range| {
                let Range { at, end, stride, .. } = range;
                if stride >= 0 || end >= 0 || range.masks[1] {
                    return false;
                }
                if input.lengths.is_none() {
                    return stride == -1 && end <= i64::from(i32::MIN);
                }
                // The end is before the first element if an omitted end selects the same elements, and an end of 0 does not.
                let (mut open, mut cut) = (slice.clone(), slice.clone());
                open.end_mask |= if at < 63 { 1 << at } else { 0 };
                cut.end[at] = 0;
                !becomes(slice, &open, input) && becomes(slice, &cut, input)
            };
            ranges(slice).any(leaves_out)
        }),
    ),
    CORE_ML.mistake(
        "tf-sentinel-14",
        "begins, ends and strides below INT32_MIN are truncated to 32 bits",
        OfSlice(|slice, input| {
            let kept = |number: i64| match number {
                ..0 => truncated(number),
                0.. => number,
            };
            let mut changed = slice.clone();
            for numbers in [&mut changed.begin, &mut changed.end, &mut changed.strides] {
                for number in numbers {
                    *number = kept(*number);
                }
            }
            becomes(slice, &changed, input)
        }),
    ),
];

/// An entry that selects a range.
struct Range {
    at: usize,
    begin: i64,
    end: i64,
    stride: i64,
    /// Whether the begin and the end are masked.
    masks: [bool; 2],
}

/// Returns the entries that select ranges.
fn ranges(slice: &StridedSlice) -> impl Iterator<Item = Range> {
    let others = slice.ellipsis_mask | slice.new_axis_mask | slice.shrink_axis_mask;
    let bit = |mask: i64, at: usize| at < 64 && mask >> at & 1 == 1;
    let all = slice
        .begin
        .iter()
        .zip(&slice.end)
        .zip(&slice.strides)
        .enumerate();
    all.filter(move |(at, _)| !bit(others, *at))
        .map(move |(at, ((&begin, &end), &stride))| Range {
            at,
            begin,
            end,
            stride,
            masks: [slice.begin_mask, slice.end_mask].map(|mask| bit(mask, at)),
        })
}

/// Returns whether the changed slice selects different elements. Returns `false` if the lengths are unknown.
fn becomes(slice: &StridedSlice, changed: &StridedSlice, input: Input<'_>) -> bool {
    let Some(lengths) = input.lengths else {
        return false;
    };
    differ(slice.resolve(lengths), changed.resolve(lengths))
}
