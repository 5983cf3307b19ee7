//! Checks the fields of explanations, and their JSON form.

use serde_json::{Value, json};
use slice_core::{ItemRole, s};
use slice_systems::Explain;

#[test]
fn fields_contain_the_value_after_each_stage() {
    let explanation = s![0, ..., -99::2].explain(&[2, 3, 5]);
    let [index, ellipsis, range] = &explanation.entries[..] else {
        panic!("wrong number of entries: {explanation:?}");
    };
    assert_eq!(
        (index.role, index.axis, index.output_axis),
        (ItemRole::Index, Some(0), None)
    );
    assert_eq!(
        (ellipsis.role, ellipsis.axis, ellipsis.output_axis),
        (ItemRole::Ellipsis, Some(1), Some(0))
    );
    assert_eq!(
        (range.role, range.axis, range.output_axis),
        (ItemRole::Range, Some(2), Some(1))
    );
    assert_eq!(
        (range.item, range.written.as_deref()),
        (Some(2), Some("-99::2"))
    );
    let begin = range.begin;
    assert_eq!(
        [begin.written, begin.wrapped, begin.clamped, begin.resolved],
        [Some(-99), Some(-94), Some(0), Some(0)]
    );
    let end = range.end;
    assert_eq!(
        [end.written, end.wrapped, end.clamped, end.resolved],
        [None, None, None, Some(5)]
    );
    let selected = range.selected.expect("the range should select positions");
    assert_eq!(
        (selected.start(), selected.step(), selected.len()),
        (0, 2, 3)
    );
    let [note] = &explanation.notes[..] else {
        panic!("wrong number of notes: {explanation:?}");
    };
    assert_eq!((note.item(), note.axis()), (Some(2), Some(2)));
    assert_eq!(
        note.to_string(),
        "begin -99 is clamped to 0 on axis 2 (item 3)"
    );
}

#[test]
fn json_contains_every_field_and_the_text_of_each_note() {
    let json =
        serde_json::to_value(s![None, 5:].explain(&[3])).expect("serialization should succeed");
    assert_eq!(
        json,
        json!({
            "subject": "x[None, 5:]",
            "input_shape": [3],
            "output_shape": [1, 0],
            "entries": [
                {
                    "item": 0,
                    "written": "None",
                    "bits": [],
                    "means": "None",
                    "role": "new_axis",
                    "axis": null,
                    "size": null,
                    "begin": { "written": null, "wrapped": null, "clamped": null, "resolved": null },
                    "end": { "written": null, "wrapped": null, "clamped": null, "resolved": null },
                    "stride": null,
                    "selected": null,
                    "output_axis": 0
                },
                {
                    "item": 1,
                    "written": "5:",
                    "bits": [],
                    "means": "5:",
                    "role": "range",
                    "axis": 0,
                    "size": 3,
                    "begin": { "written": 5, "wrapped": 5, "clamped": 3, "resolved": 3 },
                    "end": { "written": null, "wrapped": null, "clamped": null, "resolved": 3 },
                    "stride": 1,
                    "selected": { "start": 0, "step": 1, "len": 0 },
                    "output_axis": 1
                }
            ],
            "notes": [
                {
                    "kind": "clamped",
                    "bound": "begin",
                    "item": 1,
                    "axis": 0,
                    "written": 5,
                    "place": 3,
                    "text": "begin 5 is clamped to 3 on axis 0 (item 2)"
                },
                {
                    "kind": "empty_axis",
                    "axis": 0,
                    "size": 3,
                    "begin": 3,
                    "end": 3,
                    "stride": 1,
                    "text": "nothing is selected on axis 0: begin 3 is not before end 3"
                }
            ]
        })
    );
}

#[test]
fn json_of_an_error_contains_its_message() {
    let json = serde_json::to_value(s![3].explain(&[3])).expect("serialization should succeed");
    assert_eq!(json["output_shape"], Value::Null);
    assert_eq!(
        json["error"],
        "index 3 is out of bounds for axis 0 with size 3 (item 1 of the slice)"
    );
}
