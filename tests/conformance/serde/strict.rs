//! Checks that every deserializable type rejects unknown, missing, repeated and invalid fields in JSON and TOML, and
//! truncated data in the binary format postcard.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slice_core::{DynSliceSpec, NdList};
use slice_systems::onnx::OnnxPlan;
use slice_systems::{coreml, litert, mindspore, onnx, openvino, stablehlo, tensorflow, torch};
use slice_zarr::ReadPlan;

/// The fields of a type in order: for each field, its name, a valid value, and `true` if the field is required.
type Fields = &'static [(&'static str, &'static str, bool)];

/// The fields of a spec, and of the operations of TensorFlow and MindSpore.
const BIT_MASK_FIELDS: Fields = &[
    ("begin", "[1]", true),
    ("end", "[3]", true),
    ("strides", "[1]", true),
    ("begin_mask", "1", false),
    ("end_mask", "0", false),
    ("ellipsis_mask", "0", false),
    ("new_axis_mask", "0", false),
    ("shrink_axis_mask", "0", false),
];

const OPENVINO: Fields = &[
    ("begin", "[1]", true),
    ("end", "[3]", true),
    ("strides", "[1]", false),
    ("begin_mask", "[1]", false),
    ("end_mask", "[0]", false),
    ("new_axis_mask", "[0]", false),
    ("shrink_axis_mask", "[0]", false),
    ("ellipsis_mask", "[0]", false),
];

const ONNX: Fields = &[
    ("opset", "11", false),
    ("starts", "[1]", true),
    ("ends", "[3]", true),
    ("axes", "[0]", false),
    ("steps", "[1]", false),
];

/// The fields of LiteRT's StridedSlice, except `offset`, which is a boolean.
const LITERT: Fields = &[
    ("begin", "[1]", true),
    ("end", "[3]", true),
    ("strides", "[1]", true),
    ("begin_mask", "1", false),
    ("end_mask", "0", false),
    ("ellipsis_mask", "0", false),
    ("new_axis_mask", "0", false),
    ("shrink_axis_mask", "0", false),
];

/// The fields of LiteRT's Slice and of Core ML's SliceBySize.
const LITERT_SLICE: Fields = &[("begin", "[1]", true), ("size", "[3]", true)];

const TORCH: Fields = &[
    ("dim", "1", false),
    ("start", "1", false),
    ("end", "3", false),
    ("step", "2", false),
];

const STABLEHLO: Fields = &[
    ("start_indices", "[1]", true),
    ("limit_indices", "[3]", true),
    ("strides", "[1]", true),
];

const DYNAMIC_SLICE: Fields = &[("start_indices", "[1]", true), ("slice_sizes", "[3]", true)];

/// The fields of Core ML's SliceByIndex, except the masks, which are lists of booleans.
const COREML: Fields = &[
    ("begin", "[1]", true),
    ("end", "[3]", true),
    ("stride", "[1]", false),
];

/// The fields of an [`OnnxPlan`], except `slice`, which is an operation.
const PLAN: Fields = &[("squeeze", "[0]", true), ("unsqueeze", "[1]", true)];

/// The fields of a struct, or of a variant of an enum.
#[derive(Clone)]
struct Pairs {
    /// The name of the variant.
    variant: Option<&'static str>,
    fields: Vec<(String, String)>,
}

fn pairs(variant: Option<&'static str>, fields: Fields) -> Pairs {
    let pair = |&(name, value, _): &(&str, &str, bool)| (name.to_owned(), value.to_owned());
    let fields = fields.iter().map(pair).collect();
    Pairs { variant, fields }
}

fn json(pairs: &Pairs) -> String {
    let field = |(name, value): &(String, String)| format!("\"{name}\": {value}");
    let fields = pairs.fields.iter().map(field).collect::<Vec<_>>();
    let fields = format!("{{ {} }}", fields.join(", "));
    match pairs.variant {
        Some(variant) => format!("{{ \"{variant}\": {fields} }}"),
        None => fields,
    }
}

fn toml(pairs: &Pairs) -> String {
    let header = pairs.variant.map(|variant| format!("[{variant}]\n"));
    let fields = pairs.fields.iter();
    let fields = fields.map(|(name, value)| format!("{name} = {value}\n"));
    header.into_iter().chain(fields).collect()
}

/// Checks that JSON and TOML with the fields in `pairs` are rejected, and returns the two error messages.
fn errors_of<T: DeserializeOwned + Debug>(pairs: &Pairs) -> [String; 2] {
    let (json, toml) = (json(pairs), toml(pairs));
    let json_error = serde_json::from_str::<T>(&json)
        .expect_err(&json)
        .to_string();
    assert!(json_error.contains("line 1 column"), "{json_error}");
    let toml_error = toml::from_str::<T>(&toml).expect_err(&toml).to_string();
    assert!(
        toml_error.contains("TOML parse error at line"),
        "{toml_error}"
    );
    [json_error, toml_error]
}

/// Returns `true` if an error names an unknown field, as errors of JSON do, and errors of TOML for structs or for variants.
fn is_unknown_field(error: &str, name: &str) -> bool {
    error.contains(&format!("unknown field `{name}`, expected"))
        || error.contains(&format!(
            "unexpected keys in table: {name}, available keys: "
        ))
}

/// Checks that `T` can be deserialized from `fields`, and that unknown, missing, repeated and invalid fields are
/// rejected.
fn check_strictness<T: DeserializeOwned + Serialize + PartialEq + Debug>(fields: Fields) {
    check_variant::<T>(None, fields);
}

/// Performs the checks of [`check_strictness`] for a variant of an enum.
fn check_variant<T: DeserializeOwned + Serialize + PartialEq + Debug>(
    variant: impl Into<Option<&'static str>>,
    fields: Fields,
) {
    let all = pairs(variant.into(), fields);
    let whole: T = serde_json::from_str(&json(&all)).expect("the JSON should contain all fields");
    assert_eq!(toml::from_str::<T>(&toml(&all)).as_ref(), Ok(&whole));

    for (index, &(name, value, is_required)) in fields.iter().enumerate() {
        for misspelling in [
            format!("{name}s"),
            name.replace('_', ""),
            format!("x{name}"),
        ] {
            if fields.iter().any(|field| field.0 == misspelling) {
                continue;
            }
            let mut changed = all.clone();
            changed.fields[index].0.clone_from(&misspelling);
            for error in errors_of::<T>(&changed) {
                assert!(is_unknown_field(&error, &misspelling), "{error}");
            }
        }
        let mut with_comment = all.clone();
        with_comment
            .fields
            .push(("comment".to_owned(), "1".to_owned()));
        for error in errors_of::<T>(&with_comment) {
            assert!(is_unknown_field(&error, "comment"), "{error}");
            assert!(error.contains(name), "{error}");
        }

        let mut without_field = all.clone();
        without_field.fields.remove(index);
        if is_required {
            for error in errors_of::<T>(&without_field) {
                let expected = format!("missing field `{name}`");
                assert!(error.contains(&expected), "{error}");
            }
        } else {
            let parsed = serde_json::from_str::<T>(&json(&without_field))
                .expect("the field should have a default");
            assert_eq!(toml::from_str::<T>(&toml(&without_field)), Ok(parsed));
        }

        let mut twice = all.clone();
        twice.fields.push((name.to_owned(), value.to_owned()));
        let [error, _] = errors_of::<T>(&twice);
        let expected = format!("duplicate field `{name}`");
        assert!(error.contains(&expected), "{error}");

        for (wrong_value, message) in [
            ("\"a\"", "string \"a\""),
            ("1.5", "floating point `1.5`"),
            ("true", "boolean `true`"),
        ] {
            let mut changed = all.clone();
            changed.fields[index].1 = if value.starts_with('[') {
                format!("[{wrong_value}]")
            } else {
                wrong_value.to_owned()
            };
            for error in errors_of::<T>(&changed) {
                // TensorFlow's masks have several forms, none of which matches.
                assert!(
                    error.contains(message) || error.contains("expected a 64-bit integer"),
                    "{error}"
                );
            }
        }
    }

    // A format without field names, such as postcard, requires all fields.
    let bytes = postcard::to_allocvec(&whole).expect("serialization should succeed");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(&whole));
    for len in 0..bytes.len() {
        assert!(
            postcard::from_bytes::<T>(&bytes[..len]).is_err(),
            "the first {len} bytes of {bytes:?} are accepted"
        );
    }
}

#[test]
fn every_type_rejects_invalid_fields() {
    check_strictness::<tensorflow::StridedSlice>(BIT_MASK_FIELDS);
    check_strictness::<mindspore::StridedSlice>(BIT_MASK_FIELDS);
    check_strictness::<openvino::StridedSlice>(OPENVINO);
    check_strictness::<onnx::Slice>(ONNX);
    check_strictness::<OnnxPlan>(PLAN);
    check_strictness::<litert::StridedSlice>(LITERT);
    check_strictness::<litert::Slice>(LITERT_SLICE);
    check_strictness::<litert::ReverseV2>(&[("axis", "[1]", true)]);
    check_strictness::<torch::Slice>(TORCH);
    check_strictness::<torch::Select>(&[("dim", "1", true), ("index", "2", true)]);
    check_variant::<torch::Op>("unsqueeze", &[("dim", "1", true)]);
    check_variant::<torch::Op>("flip", &[("dims", "[1]", true)]);
    check_variant::<torch::Op>(
        "index_select",
        &[("dim", "1", true), ("index", "[2]", true)],
    );
    check_variant::<onnx::Op>("squeeze", &[("axes", "[1]", true)]);
    check_variant::<onnx::Op>("unsqueeze", &[("axes", "[1]", true)]);
    check_strictness::<stablehlo::Slice>(STABLEHLO);
    check_variant::<stablehlo::Op>("dynamic_slice", DYNAMIC_SLICE);
    check_variant::<stablehlo::Op>("reverse", &[("dimensions", "[1]", true)]);
    check_variant::<stablehlo::Op>("reshape", &[("shape", "[1]", true)]);
    check_strictness::<coreml::SliceByIndex>(COREML);
    check_strictness::<coreml::SliceBySize>(LITERT_SLICE);
    check_variant::<coreml::Op>("expand_dims", &[("axes", "[1]", true)]);
    check_variant::<coreml::Op>("reverse", &[("axes", "[1]", true)]);
}

/// A spec has more forms than the types that `check_strictness` checks: text, and a struct.
#[test]
fn specs_reject_invalid_fields() {
    let all = pairs(None, BIT_MASK_FIELDS);
    for (index, (name, _)) in all.fields.iter().enumerate() {
        let mut changed = all.clone();
        changed.fields[index].0 += "s";
        let unknown = format!("unknown field `{name}s`, expected");
        for error in errors_of::<DynSliceSpec>(&changed) {
            assert!(error.contains(&unknown), "{error}");
        }
        let mut twice = all.clone();
        twice.fields.push(all.fields[index].clone());
        let [error, _] = errors_of::<DynSliceSpec>(&twice);
        assert!(
            error.contains(&format!("duplicate field `{name}`")),
            "{error}"
        );
        let mut without_field = all.clone();
        without_field.fields.remove(index);
        if BIT_MASK_FIELDS[index].2 {
            for error in errors_of::<DynSliceSpec>(&without_field) {
                assert!(
                    error.contains(&format!("missing field `{name}`")),
                    "{error}"
                );
            }
        }
    }
    assert!(serde_json::from_str::<DynSliceSpec>("[[1], [3], [1], 0, 0, 0, 0, 0]").is_err());
}

#[test]
fn errors_in_the_slice_of_an_onnx_plan_are_reported() {
    let plan = r#"{ "slice": { "starts": [1], "ends": [2], "step": [2] }, "squeeze": [], "unsqueeze": [] }"#;
    let error = serde_json::from_str::<OnnxPlan>(plan)
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `step`, expected"), "{error}");
    let plan_without_slice = r#"{ "slice": null, "squeeze": [], "unsqueeze": [] }"#;
    assert_eq!(
        serde_json::from_str::<OnnxPlan>(plan_without_slice).unwrap(),
        OnnxPlan::default()
    );
}

#[test]
fn programs_reject_unknown_names_and_invalid_slices() {
    let program = r#"{ "ops": [{ "flip": { "dims": [0] } }, { "getitem": "1:, None" }] }"#;
    let parsed: torch::Program =
        serde_json::from_str(program).expect("the JSON should be a program");
    assert_eq!(parsed.to_string(), "x.flip([0])[1:, None]");
    let serialized = serde_json::to_string(&parsed).expect("serialization should succeed");
    assert_eq!(
        serde_json::from_str::<torch::Program>(&serialized).ok(),
        Some(parsed)
    );
    for (old, new, expected) in [
        ("ops", "op", "unknown field `op`"),
        ("flip", "flop", "unknown variant `flop`"),
        ("dims", "dim", "unknown field `dim`, expected `dims`"),
        ("1:,", "1;,", "are valid indices"),
    ] {
        let error = serde_json::from_str::<torch::Program>(&program.replacen(old, new, 1));
        let error = error.expect_err(new).to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn boolean_fields_reject_integers() {
    let op = r#"{ "begin": [1], "end": [0], "end_mask": [true], "squeeze_mask": [false] }"#;
    let op: coreml::SliceByIndex =
        serde_json::from_str(op).expect("the JSON should be an operation");
    assert_eq!(op.end_mask, [true]);
    let number = r#"{ "begin": [1], "end": [0], "end_mask": [1] }"#;
    let error = serde_json::from_str::<coreml::SliceByIndex>(number).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("invalid type: integer `1`, expected a boolean"),
        "{error}"
    );
    let number = r#"{ "begin": [1], "end": [0], "strides": [1], "offset": 1 }"#;
    let error = serde_json::from_str::<litert::StridedSlice>(number).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("invalid type: integer `1`, expected a boolean"),
        "{error}"
    );
}

#[test]
fn numbers_out_of_range_and_values_of_wrong_types_are_rejected() {
    for (field, value, expected) in [
        (
            "begin",
            "[9223372036854775808]",
            "invalid value: integer `9223372036854775808`, expected i64",
        ),
        (
            "end",
            "[-9223372036854775809]",
            "invalid type: floating point `-9.223372036854776e+18`, expected i64",
        ),
        (
            "begin_mask",
            "18446744073709551615",
            "expected a 64-bit integer",
        ),
        ("strides", "null", "invalid type: null, expected a sequence"),
        ("end_mask", "null", "expected a 64-bit integer"),
        ("end_mask", "[0]", "expected a 64-bit integer"),
    ] {
        let mut all = pairs(None, BIT_MASK_FIELDS);
        let index = all
            .fields
            .iter()
            .position(|pair| pair.0 == field)
            .expect("the JSON should contain the field");
        all.fields[index].1 = value.to_owned();
        let error = serde_json::from_str::<tensorflow::StridedSlice>(&json(&all))
            .unwrap_err()
            .to_string();
        assert!(error.contains(expected), "{error}");
    }
    let error = serde_json::from_str::<onnx::Slice>(r#"{ "opset": -1, "starts": [], "ends": [] }"#);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("invalid value: integer `-1`, expected u32"),
        "{error}"
    );
}

/// The attributes `T`, `Index`, `_output_shapes` and `_class` of a node are ignored. All other unknown attributes are
/// rejected.
#[test]
fn misspelled_masks_of_a_tensorflow_node_are_rejected() {
    let parse = |attribute: &str| {
        let json = format!(r#"{{ "begin": [1], "end": [3], "strides": [1], {attribute} }}"#);
        serde_json::from_str::<tensorflow::StridedSlice>(&json).map_err(|error| error.to_string())
    };
    for attribute in [
        r#""T": { "type": "DT_FLOAT" }"#,
        r#""Index": { "type": "DT_INT32" }"#,
        r#""_output_shapes": { "list": { "shape": [{ "unknown_rank": true }] } }"#,
        r#""_class": { "list": { "s": ["bG9jOkBw"] } }"#,
    ] {
        assert_eq!(
            parse(attribute).as_ref().map(|op| op.begin_mask),
            Ok(0),
            "{attribute}"
        );
    }
    for (attribute, expected) in [
        (r#""_begin_mask": 1"#, "unknown field `_begin_mask`"),
        (
            r#""begin_mask": { "value": "1" }"#,
            "expected a 64-bit integer",
        ),
        (
            r#""begin_mask": { "i": "1", "i": "1" }"#,
            "expected a 64-bit integer",
        ),
        (
            r#""begin_mask": { "i": "1", "s": "" }"#,
            "expected a 64-bit integer",
        ),
        (r#""begin_mask": {}"#, "expected a 64-bit integer"),
        (
            r#""begin_mask": { "i": { "i": "1" } }"#,
            "expected a 64-bit integer",
        ),
        (
            r#""begin_mask": "1.0""#,
            "invalid value: string \"1.0\", expected a 64-bit integer",
        ),
        (r#""dtype": "DT_FLOAT""#, "unknown field `dtype`"),
    ] {
        let error = parse(attribute).unwrap_err();
        assert!(error.contains(expected), "{attribute}: {error}");
    }
}

/// The JSON form of a valid read plan.
const READ_PLAN: &str = r#"{
    "version": 1,
    "array": {
        "address": "volume.zarr", "shape": [10, 7], "data_type": "int16", "item_size": 2,
        "chunk_shape": [4, 4], "inner_chunk_shape": [2, 4], "index_bytes": 36, "uncompressed": true,
        "chunk_memory": 32
    },
    "axes": [{ "start": 9, "step": -1, "len": 10 }, { "start": 2, "step": 1, "len": 1 }],
    "output_axes": [{ "input": 0 }, { "new": 1 }],
    "parts": [{ "begin": [0, 0], "end": [2, 1] }, { "begin": [6, 0], "end": [10, 1] }]
}"#;

/// Returns the error for [`READ_PLAN`] with `old` replaced by `new`.
fn error_of_plan(old: &str, new: &str) -> String {
    assert_eq!(READ_PLAN.matches(old).count(), 1, "{old}");
    let changed = READ_PLAN.replace(old, new);
    let error = serde_json::from_str::<ReadPlan>(&changed).expect_err(&changed);
    error.to_string()
}

#[test]
fn read_plans_reject_invalid_fields() {
    let plan: ReadPlan =
        serde_json::from_str(READ_PLAN).expect("the JSON should contain all fields");
    assert_eq!(plan.parts().len(), 2);
    let serialized_plan = serde_json::to_value(&plan).expect("serialization should succeed");
    assert_eq!(
        Ok(&serialized_plan),
        READ_PLAN.parse::<Value>().as_ref().map_err(drop)
    );
    let bytes = postcard::to_allocvec(&plan).expect("serialization should succeed");
    assert_eq!(postcard::from_bytes::<ReadPlan>(&bytes).as_ref(), Ok(&plan));
    for len in 0..bytes.len() {
        assert!(postcard::from_bytes::<ReadPlan>(&bytes[..len]).is_err());
    }

    let fields = [
        "version",
        "array",
        "address",
        "shape",
        "data_type",
        "item_size",
        "chunk_shape",
        "inner_chunk_shape",
        "index_bytes",
        "uncompressed",
        "chunk_memory",
        "axes",
        "start",
        "step",
        "len",
        "output_axes",
        "parts",
        "begin",
        "end",
    ];
    for field in fields {
        // Misspells the first occurrence of the field.
        let quoted = format!("\"{field}\":");
        let (before, after) = READ_PLAN
            .split_once(&quoted)
            .expect("the JSON should contain the field");
        let misspelled = format!("{before}\"{field}x\":{after}");
        let error = serde_json::from_str::<ReadPlan>(&misspelled)
            .expect_err(field)
            .to_string();
        assert!(
            error.contains(&format!("unknown field `{field}x`, expected")),
            "{error}"
        );
        let value = serde_json::Deserializer::from_str(after).into_iter::<Value>();
        let value = value
            .flatten()
            .next()
            .expect("the field should have a value");
        let twice = format!("{before}{quoted}{value},{quoted}{after}");
        let error = serde_json::from_str::<ReadPlan>(&twice)
            .expect_err(field)
            .to_string();
        assert!(
            error.contains(&format!("duplicate field `{field}`")),
            "{error}"
        );
        let commented = format!("{before}\"comment\": 1,{quoted}{after}");
        let error = serde_json::from_str::<ReadPlan>(&commented)
            .expect_err(field)
            .to_string();
        assert!(
            error.contains("unknown field `comment`, expected"),
            "{error}"
        );

        let mut without_field = serialized_plan.clone();
        assert!(
            remove(&mut without_field, field),
            "the plan does not contain the field {field}"
        );
        let optional = [
            "address",
            "inner_chunk_shape",
            "index_bytes",
            "uncompressed",
            "chunk_memory",
        ];
        match serde_json::from_value::<ReadPlan>(without_field) {
            Ok(_) => assert!(
                optional.contains(&field),
                "a plan without the field {field} is accepted"
            ),
            Err(error) => assert!(
                error
                    .to_string()
                    .contains(&format!("missing field `{field}`")),
                "{error}"
            ),
        }
    }
}

/// Removes the first field with the name `field` from `value` or from a value inside it. Returns `true` if there is
/// such a field.
fn remove(value: &mut Value, field: &str) -> bool {
    match value {
        Value::Object(fields) => {
            fields.remove(field).is_some() || fields.values_mut().any(|value| remove(value, field))
        }
        Value::Array(values) => values.iter_mut().any(|value| remove(value, field)),
        _ => false,
    }
}

#[test]
fn deserialized_read_plans_are_validated() {
    let mut failures = Vec::new();
    for (old, new, expected) in [
        (
            "\"version\": 1",
            "\"version\": 3",
            "the plan has version 3, but only version 1 is supported; use the version of slice-zarr that created the plan",
        ),
        (
            "[10, 7]",
            "[10, -7]",
            "invalid value: integer `-7`, expected usize",
        ),
        ("[10, 7]", "[9, 7]", "are not valid on axis 0"),
        ("[10, 7]", "[10]", "1-dimensional"),
        (
            "\"chunk_shape\": [4, 4]",
            "\"chunk_shape\": [4, 0]",
            "axis 1",
        ),
        (
            "\"inner_chunk_shape\": [2, 4]",
            "\"inner_chunk_shape\": [3, 4]",
            "inner chunks of length 3 do not divide",
        ),
        (
            "\"inner_chunk_shape\": [2, 4]",
            "\"inner_chunk_shape\": [2]",
            "give one for each axis",
        ),
        ("\"step\": -1", "\"step\": 0", "the step on axis 0 is zero"),
        ("\"start\": 9", "\"start\": 8", "are not valid on axis 0"),
        (
            "\"len\": 10",
            "\"len\": 18446744073709551616",
            "invalid type: floating point `1.8446744073709552e+19`, expected usize",
        ),
        ("{ \"new\": 1 }", "{ \"input\": 7 }", "axis 7"),
        ("{ \"new\": 1 }", "{ \"old\": 1 }", "unknown variant `old`"),
        (
            "[2, 1]",
            "[3, 1]",
            "part 0 of the plan begins or ends at position 3 on axis 0 of the result, where no chunk begins or ends",
        ),
        (
            "[10, 1]",
            "[11, 1]",
            "part 1 of the plan is 6:11 on axis 0 of the result, which has size 10",
        ),
        ("[10, 1]", "[6, 1]", "part 1 of the plan is 6:6"),
        (
            "[10, 1]",
            "[10]",
            "part 1 of the plan has 1 axes, but the result has 2",
        ),
        ("[6, 0]", "[0, 0]", "parts 0 and 1 of the plan overlap"),
        ("true", "1", "invalid type: integer `1`, expected a boolean"),
        (
            "\"int16\"",
            "16",
            "invalid type: integer `16`, expected a string",
        ),
    ] {
        let error = error_of_plan(old, new);
        if !error.contains(expected) {
            failures.push(format!("{old} -> {new}: {error}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let part = r#"{ "begin": [6, 0], "end": [10, 1] }"#;
    let error = error_of_plan(part, &[part; 2000].join(", "));
    assert!(error.contains("there are 2001 parts"), "{error}");
}

#[test]
fn lists_with_several_axes_are_nested_in_json() {
    let list = |shape: &[usize], elements: &[i64]| {
        NdList::new(shape, elements).expect("the shape should match the elements")
    };
    for (list, json) in [
        (list(&[2], &[0, 2]), "[0,2]"),
        (list(&[0], &[]), "[]"),
        (list(&[2, 2], &[0, 2, 1, 1]), "[[0,2],[1,1]]"),
        (list(&[1, 2, 1], &[3, 4]), "[[[3],[4]]]"),
        (list(&[2, 0], &[]), r#"{"shape":[2,0],"elements":[]}"#),
        (list(&[], &[7]), r#"{"shape":[],"elements":[7]}"#),
    ] {
        assert_eq!(serde_json::to_string(&list).unwrap(), json);
        assert_eq!(serde_json::from_str::<NdList<i64>>(json).unwrap(), list);
    }
    let masks = serde_json::from_str::<NdList<bool>>("[[true,false],[false,true]]").unwrap();
    assert_eq!(masks.shape(), [2, 2]);
    assert_eq!(
        serde_json::from_str::<NdList<i64>>("[[],[]]").unwrap(),
        list(&[2, 0], &[])
    );
    for json in [
        "[[0,2],[1]]",
        "[0,[2]]",
        "[[0],2]",
        "[[],[1]]",
        "[[[0]],[1]]",
        "3",
        r#"["a"]"#,
        r#"{"shape":[3],"elements":[1]}"#,
        r#"{"shape":[1],"elements":[1],"more":2}"#,
    ] {
        assert!(serde_json::from_str::<NdList<i64>>(json).is_err(), "{json}");
    }
    let uneven = serde_json::from_str::<NdList<i64>>("[[0,2],[1]]").unwrap_err();
    assert_eq!(
        uneven.to_string(),
        "the lists inside a list should have equal lengths"
    );
}
