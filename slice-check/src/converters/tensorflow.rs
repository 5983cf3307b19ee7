//! Lists converter bugs that affect TensorFlow's `StridedSlice`.

use slice_systems::tensorflow::StridedSlice;

use super::Condition::StridedSlice as StridedSliceCondition;
use super::{
    Condition, Converter, ConverterBug, exceeds_32_bits, selects_differently, truncate_to_32_bits,
};

const CORE_ML: Converter = Converter("coremltools", "9.0", Some("coreml"));
const LITERT: Converter = Converter("TensorFlow's LiteRT converter", "2.21.0", Some("litert"));
const TF2ONNX: Converter = Converter("tf2onnx", "1.17.0", Some("onnx"));

/// The bugs. Each entry begins with the name of the minimal model that shows the bug.
pub(super) const BUGS: [(ConverterBug, Condition); 7] = [
    TF2ONNX.bug(
        "tf-minus-one-15",
        "with a negative `begin`, an end of 0 is treated as the end of the axis",
        StridedSliceCondition(|slice, _| {
            ranges(slice).any(|range| {
                let RangeEntry { begin, end, stride, .. } = range;
                begin < 0 && end == 0 && stride > 0 && range.masks == [false; 2]
            })
        }),
    ),
    TF2ONNX.bug(
        "tf-sentinel-08",
        "an end of INT32_MAX or INT64_MAX with a negative stride is passed on unchanged, but ONNX Runtime interprets it differently",
        StridedSliceCondition(|slice, _| {
            let is_maximum = |end| [i64::from(i32::MAX), i64::MAX].contains(&end);
            ranges(slice).any(|range| is_maximum(range.end) && range.stride < 0 && !range.masks[1])
        }),
    ),
    LITERT.bug(
        "tf-sentinel-16",
        "strides are truncated to 32 bits",
        StridedSliceCondition(|slice, _| slice.strides.iter().any(|&stride| exceeds_32_bits(stride))),
    ),
    LITERT.bug(
        "tf-sentinel-11",
        "values of `begin` and `end` are truncated to 32 bits",
        StridedSliceCondition(|slice, input| {
            let Some(lengths) = input.lengths else {
                return false;
            };
            // The result is correct in two cases. If it is empty, the converter stores it as a constant. If the stride
            // is positive and the truncated end is 0, XNNPACK treats the 0 as the end of the axis, which has the same
            // effect as the original end.
            let is_empty = slice.resolve(lengths).is_ok_and(|selection| selection.is_empty());
            let mut changed = slice.clone();
            for range in ranges(slice) {
                let RangeEntry { at, begin, end, stride, .. } = range;
                changed.begin[at] = truncate_to_32_bits(begin);
                if truncate_to_32_bits(end) != 0 || stride < 0 {
                    changed.end[at] = truncate_to_32_bits(end);
                }
            }
            !is_empty && selects_differently(slice, &changed, input)
        }),
    ),
    LITERT.bug(
        "tf-empty-22",
        "if the length of the axis is unknown, XNNPACK treats an end of 0 as the end of the axis",
        StridedSliceCondition(|slice, input| {
            let is_end = |range: RangeEntry| range.end == 0 && range.stride == 1 && !range.masks[1];
            input.lengths.is_none() && ranges(slice).any(is_end)
        }),
    ),
    CORE_ML.bug(
        "tf-minus-one-11",
        "with a negative stride and an end before the first element, the first element is not selected",
        StridedSliceCondition(|slice, input| {
            let omits_first = |range: RangeEntry| {
                let RangeEntry { at, end, stride, .. } = range;
                if stride >= 0 || end >= 0 || range.masks[1] {
                    return false;
                }
                if input.lengths.is_none() {
                    return stride == -1 && end <= i64::from(i32::MIN);
                }
                // The end is before the first element if the slice selects the same elements without the end, but
                // different elements with an end of 0.
                let (mut without_end, mut ending_at_0) = (slice.clone(), slice.clone());
                without_end.end_mask |= if at < 63 { 1 << at } else { 0 };
                ending_at_0.end[at] = 0;
                !selects_differently(slice, &without_end, input) && selects_differently(slice, &ending_at_0, input)
            };
            ranges(slice).any(omits_first)
        }),
    ),
    CORE_ML.bug(
        "tf-sentinel-14",
        "values of `begin`, `end` and `strides` below INT32_MIN are truncated to 32 bits",
        StridedSliceCondition(|slice, input| {
            let truncate = |number: i64| match number {
                ..0 => truncate_to_32_bits(number),
                0.. => number,
            };
            let mut changed = slice.clone();
            for numbers in [&mut changed.begin, &mut changed.end, &mut changed.strides] {
                for number in numbers {
                    *number = truncate(*number);
                }
            }
            selects_differently(slice, &changed, input)
        }),
    ),
];

/// An entry that selects a range.
struct RangeEntry {
    at: usize,
    begin: i64,
    end: i64,
    stride: i64,
    /// Whether `begin` and `end` are masked.
    masks: [bool; 2],
}

/// Returns the entries that select ranges.
fn ranges(slice: &StridedSlice) -> impl Iterator<Item = RangeEntry> {
    let other_masks = slice.ellipsis_mask | slice.new_axis_mask | slice.shrink_axis_mask;
    let bit = |mask: i64, at: usize| at < 64 && mask >> at & 1 == 1;
    let entries = slice
        .begin
        .iter()
        .zip(&slice.end)
        .zip(&slice.strides)
        .enumerate();
    entries.filter(move |(at, _)| !bit(other_masks, *at)).map(
        move |(at, ((&begin, &end), &stride))| RangeEntry {
            at,
            begin,
            end,
            stride,
            masks: [slice.begin_mask, slice.end_mask].map(|mask| bit(mask, at)),
        },
    )
}
