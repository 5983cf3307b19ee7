//! Checks the serialized forms of specs and operations in JSON, in TOML, and in the binary format postcard.

mod strict;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{from_str, json, to_value};
use slice_core::{DynSliceSpec, Item, NdList, s};
use slice_systems::{mindspore, onnx, openvino, tensorflow};

/// Checks that a value serialized as JSON and with postcard is deserialized to an equal value.
fn check_round_trip<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: &T) {
    let text = serde_json::to_string(value).expect("serialization should succeed");
    assert_eq!(from_str::<T>(&text).as_ref().ok(), Some(value), "{text}");
    let bytes = postcard::to_allocvec(value).expect("serialization should succeed");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(value));
}

#[test]
fn a_spec_is_serialized_as_python_text() {
    let spec = s![1, 2:4, None, ..., :-3:-1, :];
    assert_eq!(
        to_value(spec).unwrap(),
        json!("1, 2:4, None, ..., :-3:-1, :")
    );
    assert_eq!(to_value(spec.to_dyn()).unwrap(), to_value(spec).unwrap());
    assert_eq!(
        from_str::<DynSliceSpec>(r#""x[0x10:, np.newaxis]""#).unwrap(),
        s![16:, None].into()
    );
    check_round_trip(&spec.to_dyn());
    check_round_trip(&s![].to_dyn());
}

#[test]
fn a_spec_can_be_deserialized_from_its_fields() {
    let fields = json!({
        "begin": [1, 2, 0, 0, 0, 0],
        "end": [2, 4, 0, 0, -3, 0],
        "strides": [1, 1, 1, 1, -1, 1],
        "begin_mask": 48,
        "end_mask": 32,
        "ellipsis_mask": 8,
        "new_axis_mask": 4,
        "shrink_axis_mask": 1,
    });
    let spec: DynSliceSpec = serde_json::from_value(fields).unwrap();
    assert_eq!(spec, s![1, 2:4, None, ..., :-3:-1, :].into());
    let spec: DynSliceSpec = from_str(r#"{ "begin": [1], "end": [9], "strides": [2] }"#).unwrap();
    assert_eq!(spec, s![1:9:2].into());
}

/// A spec may contain a step of zero, which is an error only when the spec is resolved. Because the parser rejects a
/// step of zero, such a spec is not serialized as text.
#[test]
fn a_spec_with_a_step_of_zero_is_serialized_as_its_items() {
    let range = Item::Range {
        begin: None,
        end: Some(4),
        step: 0,
    };
    let spec = DynSliceSpec::from_items([range]).unwrap();
    assert!(to_value(&spec).unwrap().is_array());
    check_round_trip(&spec);
}

/// The parser limits the depth of brackets, and the depth of the values that `serde_json` reads is limited as well.
#[test]
fn lists_with_many_axes_are_serialized_as_items() {
    for axes in [33, 200] {
        let list = NdList::new(vec![1; axes], [0]).unwrap();
        let mask = NdList::new(vec![1; axes], [true]).unwrap();
        for item in [
            Item::List(list.clone()),
            Item::Points(vec![list.clone(), NdList::from(vec![0])]),
            Item::Mask(mask),
        ] {
            check_round_trip(&DynSliceSpec::from_items([item]).unwrap());
        }
    }
}

#[test]
fn invalid_specs_are_rejected_with_a_reason() {
    let error_of = |json: &str| from_str::<DynSliceSpec>(json).unwrap_err().to_string();
    let text = error_of(r#""1:, ::0""#);
    assert!(
        text.starts_with("slice step cannot be zero (at byte 6): omit it"),
        "{text}"
    );
    let text = error_of("3.5");
    assert!(
        text.contains("expected a slice as Python text, a sequence of items, or a map with begin"),
        "{text}"
    );
    let text = error_of(r#"{ "begin": [1], "end": [9], "strides": [] }"#);
    assert!(text.contains("must have the same length"), "{text}");
    let text = error_of(r#"{ "begin": [1], "end": [9], "strides": [1], "end_maks": 1 }"#);
    assert!(text.contains("unknown field `end_maks`"), "{text}");
    let text = error_of(r#"{ "begin": [1], "end": [9], "strides": [1], "end_mask": 2 }"#);
    assert!(text.contains("mask bit 1 is set for item 2"), "{text}");
}

#[test]
fn tensorflow_masks_of_zero_are_serialized_but_optional_in_input() {
    let op = tensorflow::StridedSlice {
        begin: vec![1, 0],
        end: vec![2, 0],
        strides: vec![1, 1],
        end_mask: 2,
        shrink_axis_mask: 1,
        ..tensorflow::StridedSlice::default()
    };
    let json = json!({
        "begin": [1, 0], "end": [2, 0], "strides": [1, 1],
        "begin_mask": 0, "end_mask": 2, "ellipsis_mask": 0, "new_axis_mask": 0, "shrink_axis_mask": 1,
    });
    assert_eq!(to_value(&op).unwrap(), json);
    let without_zero_masks = r#"{ "begin": [1, 0], "end": [2, 0], "strides": [1, 1], "end_mask": 2, "shrink_axis_mask": 1 }"#;
    assert_eq!(
        from_str::<tensorflow::StridedSlice>(without_zero_masks).unwrap(),
        op
    );
    check_round_trip(&op);
}

/// In the JSON form of a TensorFlow graph, a node also contains attributes that are not fields of the operation, and
/// 64-bit integers are strings.
#[test]
fn an_operation_can_be_deserialized_from_a_tensorflow_node() {
    let node = r#"{
        "begin": [0, 3], "end": [0, 4], "strides": [1, 1],
        "T": { "type": "DT_FLOAT" }, "Index": { "type": "DT_INT32" },
        "begin_mask": { "i": "1" }, "end_mask": { "i": 1 }, "ellipsis_mask": "0", "shrink_axis_mask": { "i": "2" },
        "new_axis_mask": 0
    }"#;
    let op: tensorflow::StridedSlice = from_str(node).unwrap();
    assert_eq!((op.begin_mask, op.end_mask, op.shrink_axis_mask), (1, 1, 2));
    assert!(from_str::<tensorflow::StridedSlice>(&node.replace("\"0\"", "\"x\"")).is_err());
    assert!(from_str::<tensorflow::StridedSlice>(&node.replace("\"0\"", "0.5")).is_err());
}

#[test]
fn openvino_mindspore_and_onnx_operations_use_the_field_names_of_their_systems() {
    let op: openvino::StridedSlice =
        from_str(r#"{ "begin": [1], "end": [0], "end_mask": [1] }"#).unwrap();
    let expected = openvino::StridedSlice {
        begin: vec![1],
        end: vec![0],
        end_mask: vec![1],
        ..openvino::StridedSlice::default()
    };
    assert_eq!(op, expected);
    check_round_trip(&op);

    let op: mindspore::StridedSlice =
        from_str(r#"{ "begin": [1], "end": [0], "strides": [1], "end_mask": 1 }"#).unwrap();
    let expected = mindspore::StridedSlice {
        begin: vec![1],
        end: vec![0],
        strides: vec![1],
        end_mask: 1,
        ..mindspore::StridedSlice::default()
    };
    assert_eq!(op, expected);
    check_round_trip(&op);

    let op: onnx::Slice = from_str(r#"{ "starts": [1], "ends": [3], "axes": [-1] }"#).unwrap();
    let expected = onnx::Slice {
        opset: 13,
        starts: vec![1],
        ends: vec![3],
        axes: Some(vec![-1]),
        steps: None,
    };
    assert_eq!(op, expected);
    check_round_trip(&op);
}
