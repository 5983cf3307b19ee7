//! Checks that notes mention surprises, and nothing else.

use slice_core::{DynSliceSpec, s};
use slice_ops::explain::Explanation;
use slice_ops::{Explain, mindspore, onnx, openvino, tensorflow};

fn notes(explanation: &Explanation) -> Vec<String> {
    explanation
        .notes()
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn clamped_bounds_empty_axes_and_ellipses_are_noted() {
    let table: &[(&str, &[usize], &[&str])] = &[
        ("1:, ..., newaxis, :-3:-1", &[4, 5, 6], &[]),
        ("1:3, -1", &[4, 5], &[]),
        ("()", &[], &[]),
        (
            ":, 1:5:-1",
            &[2, 6],
            &["axis 1 is empty: stride is negative and begin 1 is not after end 5"],
        ),
        (
            "2:2",
            &[4],
            &["axis 0 is empty: begin 2 is not before end 2"],
        ),
        ("::-1", &[0], &["axis 0 is empty: its size is 0"]),
        ("2:99", &[6], &["end 99 clamped to 6 on axis 0 (item 1)"]),
        (
            "0, -9:",
            &[2, 6],
            &["begin -9 clamped to 0 on axis 1 (item 2)"],
        ),
        (
            "3:-99:-1",
            &[4],
            &["end -99 clamped to -1, before the first element, on axis 0 (item 1)"],
        ),
        (
            "0, 1:",
            &[2, 3, 4, 5],
            &["implicit ellipsis covers axes 2..4"],
        ),
        ("0", &[2, 3], &["implicit ellipsis covers axis 1"]),
        (
            "0, ..., 1",
            &[2, 3],
            &["ellipsis covers no axis: the other items name them all (item 2)"],
        ),
        (
            "3:-1:-1",
            &[4],
            &[
                "axis 0 is empty: stride is negative and begin 3 is not after end 3",
                "end -1 of item 1 is the last element; leave it out to reach element 0",
            ],
        ),
        (
            "0, 3",
            &[2, 3],
            &["axis 1 has the indices 0 to 2, or -3 to -1 from the end"],
        ),
        (
            "0",
            &[0],
            &["axis 0 has no element that an index could select"],
        ),
        ("0, 0", &[2], &[]),
        ("0, ..., None, 0", &[2, 3, 4], &[]),
        ("0, ..., None, 0", &[2], &[]),
    ];
    for &(text, shape, expected) in table {
        let spec: DynSliceSpec = text.parse().expect("text is a slice");
        assert_eq!(notes(&spec.explain(shape)), expected, "{text} of {shape:?}");
    }
}

#[test]
fn ignored_mask_bits_are_noted() {
    let op = tensorflow::StridedSlice {
        begin: vec![5, 1, 7, 2, 0],
        end: vec![6, 9, 0, 9, 0],
        strides: vec![1; 5],
        begin_mask: 0b01000,
        end_mask: 0b00010,
        ellipsis_mask: 0b10000,
        new_axis_mask: -64 + 0b00100,
        shrink_axis_mask: 0b11101,
    };
    assert_eq!(
        notes(&op.explain(&[6, 3, 4])),
        [
            "end 9 of item 2 ignored: end bit 1 is set, and 3 is used instead",
            "end 9 of item 4 ignored: an index has only a begin",
            "ellipsis covers no axis: the other items name them all (item 5)",
            "shrink bit 2 ignored: new_axis wins",
            "begin bit 3 ignored: shrink wins",
            "shrink bit 4 ignored: ellipsis wins",
            "new_axis bit 6 and above ignored: there are only 5 items",
        ]
    );
}

#[test]
fn a_masked_begin_of_an_index_is_noted_for_mindspore() {
    let op = mindspore::StridedSlice {
        begin: vec![2, 0],
        end: vec![3, 1],
        strides: vec![1, 1],
        begin_mask: 1,
        shrink_axis_mask: 1,
        ..mindspore::StridedSlice::default()
    };
    assert_eq!(
        notes(&op.explain(&[4, 1])),
        ["begin 2 of item 1 ignored: begin bit 0 is set, and 0 is used instead"]
    );
}

#[test]
fn bounds_that_openvino_and_onnx_read_differently_are_noted() {
    let first = "begin -10 of item 1 is before the first element: this system starts at element 0, but Python would \
                 select nothing";
    let beyond = "end -20 clamped to -1, before the first element, on axis 0 (item 1)";
    let op = openvino::StridedSlice {
        begin: vec![-10],
        end: vec![-20],
        strides: Some(vec![-1]),
        ..openvino::StridedSlice::default()
    };
    assert_eq!(notes(&op.explain(&[4])), [first, beyond]);

    let op = onnx::Slice {
        opset: 13,
        starts: vec![-10, 3],
        ends: vec![-20, i64::MAX],
        axes: Some(vec![0, 2]),
        steps: Some(vec![-1, -1]),
    };
    let text = op.explain(&[4, 5, 6]);
    assert_eq!(
        notes(&text),
        [
            first,
            beyond,
            "end 9223372036854775807 clamped to 5 on axis 2 (item 2)",
            "axis 2 is empty: stride is negative and begin 3 is not after end 5",
        ]
    );
    assert_eq!(
        notes(&op.explain_onnxruntime(&[4, 5, 6])),
        [
            first,
            beyond,
            "end 9223372036854775807 of item 2 means \"to the end\" in ONNX Runtime, even backwards; according to \
             the ONNX specification it selects nothing",
        ]
    );
}

#[test]
fn errors_name_the_item_and_are_shown_below_the_steps() {
    let spec: DynSliceSpec = "1, 3".parse().expect("text is a slice");
    assert_eq!(
        spec.explain(&[2, 3]).to_string(),
        "\
x[1, 3] of shape (2, 3) is an error

                           axis 0  axis 1
                item       1       2
                written    1       3
new_axis        axis size  2       3
ellipsis, fill  begin      1       3
clamp           begin      1       3
begin_mask      begin      1       -
shrink          index      1:2:1   -
output_shape    output     1       -
pick            start      1       -
                step       1       -
                len        1       -

error: index 3 is out of bounds for axis 1 with size 3 (item 2 of the slice)
note: axis 1 has the indices 0 to 2, or -3 to -1 from the end
"
    );
    let op = tensorflow::StridedSlice {
        begin: vec![0],
        end: vec![1, 2],
        ..tensorflow::StridedSlice::default()
    };
    assert_eq!(
        op.explain(&[2]).to_string(),
        "\
TensorFlow's StridedSlice of shape (2,) is an error

error: begin, end and strides must have the same length, but have 1, 2 and 0 entries
"
    );
}

#[test]
fn wide_tables_are_folded() {
    let text = s![1:].explain(&[3; 12]).to_string();
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert_eq!(text.matches("\npick").count(), 2, "{text}");
    assert!(
        text.contains("\n                             axis 9  axis 10  axis 11\n"),
        "{text}"
    );
}
