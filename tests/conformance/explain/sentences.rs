//! Checks that notes mention surprising effects and nothing else. Also checks the printed form of errors and of wide
//! tables.

use slice_core::{DynSliceSpec, s};
use slice_systems::explain::Explanation;
use slice_systems::{Explain, mindspore, onnx, openvino, tensorflow};

fn notes(explanation: &Explanation) -> Vec<String> {
    explanation.notes.iter().map(ToString::to_string).collect()
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
            &[
                "nothing is selected on axis 1: the step is negative, and begin 1 is not after end 5",
            ],
        ),
        (
            "2:2",
            &[4],
            &["nothing is selected on axis 0: begin 2 is not before end 2"],
        ),
        (
            "::-1",
            &[0],
            &["nothing is selected on axis 0: its length is 0"],
        ),
        ("2:99", &[6], &["end 99 is clamped to 6 on axis 0 (item 1)"]),
        (
            "0, -9:",
            &[2, 6],
            &["begin -9 is clamped to 0 on axis 1 (item 2)"],
        ),
        (
            "3:-99:-1",
            &[4],
            &["end -99 is clamped to -1, before the first element, on axis 0 (item 1)"],
        ),
        (
            "0, 1:",
            &[2, 3, 4, 5],
            &["an implicit ellipsis covers axes 2 to 3"],
        ),
        ("0", &[2, 3], &["an implicit ellipsis covers axis 1"]),
        (
            "0, ..., 1",
            &[2, 3],
            &["the ellipsis (item 2) covers no axis, because the other items apply to all axes"],
        ),
        (
            "3:-1:-1",
            &[4],
            &[
                "nothing is selected on axis 0: the step is negative, and begin 3 is not after end 3",
                "end -1 (item 1) means the last element; omit the end to reach element 0",
            ],
        ),
        (
            "0, 3",
            &[2, 3],
            &["the valid indices of axis 1 are 0 to 2, or -3 to -1 from the end"],
        ),
        (
            "0",
            &[0],
            &["axis 0 has length 0, so it has no valid index"],
        ),
        ("0, 0", &[2], &[]),
        ("0, ..., None, 0", &[2, 3, 4], &[]),
        ("0, ..., None, 0", &[2], &[]),
    ];
    for &(text, shape, expected) in table {
        let spec: DynSliceSpec = text.parse().expect("the string should be a slice");
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
            "end 9 (item 2) is ignored: end bit 1 is set, and 3 is used instead",
            "end 9 (item 4) is ignored: an index uses only its begin",
            "the ellipsis (item 5) covers no axis, because the other items apply to all axes",
            "shrink bit 2 is ignored: the new_axis bit takes precedence",
            "begin bit 3 is ignored: the shrink bit takes precedence",
            "shrink bit 4 is ignored: the ellipsis bit takes precedence",
            "new_axis bits 6 and above are ignored: the number of items is 5",
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
        ["begin 2 (item 1) is ignored: begin bit 0 is set, and 0 is used instead"]
    );
}

#[test]
fn bounds_with_a_different_meaning_in_openvino_and_onnx_are_noted() {
    let begin_note = "begin -10 (item 1) is before the first element: this operation starts at element 0, but Python would \
                 select nothing";
    let end_note = "end -20 is clamped to -1, before the first element, on axis 0 (item 1)";
    let op = openvino::StridedSlice {
        begin: vec![-10],
        end: vec![-20],
        strides: Some(vec![-1]),
        ..openvino::StridedSlice::default()
    };
    assert_eq!(notes(&op.explain(&[4])), [begin_note, end_note]);

    let op = onnx::Slice {
        opset: 13,
        starts: vec![-10, 3],
        ends: vec![-20, i64::MAX],
        axes: Some(vec![0, 2]),
        steps: Some(vec![-1, -1]),
    };
    let explanation = op.explain(&[4, 5, 6]);
    assert_eq!(
        notes(&explanation),
        [
            begin_note,
            end_note,
            "end 9223372036854775807 is clamped to 5 on axis 2 (item 2)",
            "nothing is selected on axis 2: the step is negative, and begin 3 is not after end 5",
        ]
    );
    assert_eq!(
        notes(&op.explain_onnxruntime(&[4, 5, 6])),
        [
            begin_note,
            end_note,
            "end 9223372036854775807 (item 2) means \"down to element 0\" in ONNX Runtime; according to the ONNX \
             specification, the range selects nothing",
        ]
    );
}

#[test]
fn errors_name_the_item_and_are_shown_below_the_steps() {
    let spec: DynSliceSpec = "1, 3".parse().expect("the string should be a slice");
    assert_eq!(
        spec.explain(&[2, 3]).to_string(),
        "\
x[1, 3] cannot be applied to shape (2, 3)

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
note: the valid indices of axis 1 are 0 to 2, or -3 to -1 from the end
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
TensorFlow's StridedSlice cannot be applied to shape (2,)

error: begin, end and strides must have the same length, but have 1, 2 and 0 entries
"
    );
}

#[test]
fn wide_tables_are_split_into_blocks() {
    let text = s![1:].explain(&[3; 12]).to_string();
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    assert_eq!(text.matches("\npick").count(), 2, "{text}");
    assert!(
        text.contains("\n                             axis 9  axis 10  axis 11\n"),
        "{text}"
    );
}
