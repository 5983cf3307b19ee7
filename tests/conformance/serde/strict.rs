//! What is read by the names of its fields is read strictly: in every format, for every type.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use slice_core::DynSliceSpec;
use slice_core::dialect::{mindspore, onnx, openvino, tensorflow};
use slice_core::translate::OnnxPlan;

/// The fields of a type in their order, each with a value; those that must be there come with `true`.
type Fields = &'static [(&'static str, &'static str, bool)];

const BIT_MASKED: Fields = &[
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

const PLAN: Fields = &[("squeeze", "[0]", true), ("unsqueeze", "[1]", true)];

type Pairs = Vec<(String, String)>;

fn pairs(fields: Fields) -> Pairs {
    let pair = |&(name, value, _): &(&str, &str, bool)| (name.to_owned(), value.to_owned());
    fields.iter().map(pair).collect()
}

fn json(pairs: &[(String, String)]) -> String {
    let field = |(name, value): &(String, String)| format!("\"{name}\": {value}");
    format!(
        "{{ {} }}",
        pairs.iter().map(field).collect::<Vec<_>>().join(", ")
    )
}

fn toml(pairs: &[(String, String)]) -> String {
    pairs
        .iter()
        .map(|(name, value)| format!("{name} = {value}\n"))
        .collect()
}

/// What is said of the fields, which both formats must refuse.
fn refused<T: DeserializeOwned + Debug>(pairs: &Pairs) -> [String; 2] {
    let (json, toml) = (json(pairs), toml(pairs));
    let in_json = serde_json::from_str::<T>(&json)
        .expect_err(&json)
        .to_string();
    assert!(in_json.contains("line 1 column"), "{in_json}");
    let in_toml = toml::from_str::<T>(&toml).expect_err(&toml).to_string();
    assert!(in_toml.contains("TOML parse error at line"), "{in_toml}");
    [in_json, in_toml]
}

fn is_strict<T: DeserializeOwned + Serialize + PartialEq + Debug>(fields: Fields) {
    let all = pairs(fields);
    let whole: T = serde_json::from_str(&json(&all)).expect("all fields");
    assert_eq!(toml::from_str::<T>(&toml(&all)).as_ref(), Ok(&whole));

    for (at, &(name, value, needed)) in fields.iter().enumerate() {
        for wrong in [
            format!("{name}s"),
            name.replace('_', ""),
            format!("x{name}"),
        ] {
            if fields.iter().any(|field| field.0 == wrong) {
                continue;
            }
            let mut changed = all.clone();
            changed[at].0.clone_from(&wrong);
            for error in refused::<T>(&changed) {
                let words = format!("unknown field `{wrong}`: did you mean `{name}`?");
                assert!(error.contains(&words), "{error}");
            }
        }
        let mut beside = all.clone();
        beside.push(("comment".to_owned(), "1".to_owned()));
        for error in refused::<T>(&beside) {
            let words = format!("unknown field `comment`: known are `{}`", fields[0].0);
            // A struct with another one in it begins with that.
            assert!(
                error.contains(&words) || error.contains("known are `slice`"),
                "{error}"
            );
        }

        let mut fewer = all.clone();
        fewer.remove(at);
        if needed {
            for error in refused::<T>(&fewer) {
                let words = format!("missing field `{name}`: write a list of integers");
                assert!(error.contains(&words), "{error}");
            }
        } else {
            let read = serde_json::from_str::<T>(&json(&fewer)).expect("a default");
            assert_eq!(toml::from_str::<T>(&toml(&fewer)), Ok(read));
        }

        let mut twice = all.clone();
        twice.push((name.to_owned(), value.to_owned()));
        let [error, _] = refused::<T>(&twice);
        let words = format!("field `{name}` is given twice: leave one out");
        assert!(error.contains(&words), "{error}");

        for (wrong, said) in [
            ("\"a\"", "string \"a\""),
            ("1.5", "floating point `1.5`"),
            ("true", "boolean `true`"),
        ] {
            let mut changed = all.clone();
            changed[at].1 = if value.starts_with('[') {
                format!("[{wrong}]")
            } else {
                wrong.to_owned()
            };
            for error in refused::<T>(&changed) {
                assert!(error.contains(said), "{error}");
                assert!(error.contains(&format!("for `{name}`")), "{error}");
            }
        }
    }

    // Positions are no names, even if there are enough of them.
    let values = json(&all).parse::<Value>().expect("JSON");
    let list: Vec<&Value> = fields.iter().map(|field| &values[field.0]).collect();
    let list = serde_json::to_string(&list).expect("JSON");
    let error = serde_json::from_str::<T>(&list)
        .expect_err(&list)
        .to_string();
    assert!(error.contains("expected a map with"), "{error}");

    // A format of positions needs them all.
    let bytes = postcard::to_allocvec(&whole).expect("bytes");
    assert_eq!(postcard::from_bytes::<T>(&bytes).as_ref(), Ok(&whole));
    for len in 0..bytes.len() {
        assert!(
            postcard::from_bytes::<T>(&bytes[..len]).is_err(),
            "{len} of {bytes:?}"
        );
    }
}

#[test]
fn every_type_in_every_format() {
    is_strict::<tensorflow::StridedSlice>(BIT_MASKED);
    is_strict::<mindspore::StridedSlice>(BIT_MASKED);
    is_strict::<openvino::StridedSlice>(OPENVINO);
    is_strict::<onnx::Slice>(ONNX);
    is_strict::<OnnxPlan>(PLAN);
}

/// As the other types, but for what is said of a list: a spec may be a text, so a format for people decides by what it
/// finds.
#[test]
fn a_spec() {
    let all = pairs(BIT_MASKED);
    for (at, (name, _)) in all.iter().enumerate() {
        let mut changed = all.clone();
        changed[at].0 += "s";
        let known = format!("did you mean `{name}`?");
        for error in refused::<DynSliceSpec>(&changed) {
            assert!(name == "stride" || error.contains(&known), "{error}");
        }
        let mut twice = all.clone();
        twice.push(all[at].clone());
        let [error, _] = refused::<DynSliceSpec>(&twice);
        assert!(
            error.contains(&format!("field `{name}` is given twice")),
            "{error}"
        );
        let mut fewer = all.clone();
        fewer.remove(at);
        if BIT_MASKED[at].2 {
            for error in refused::<DynSliceSpec>(&fewer) {
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
fn a_plan_in_which_the_slice_is_wrong() {
    let plan = r#"{ "slice": { "starts": [1], "ends": [2], "step": [2] }, "squeeze": [], "unsqueeze": [] }"#;
    let error = serde_json::from_str::<OnnxPlan>(plan)
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("unknown field `step`: did you mean `steps`?"),
        "{error}"
    );
    let none = r#"{ "slice": null, "squeeze": [], "unsqueeze": [] }"#;
    assert_eq!(
        serde_json::from_str::<OnnxPlan>(none).unwrap(),
        OnnxPlan::default()
    );
}

#[test]
fn numbers_that_do_not_fit() {
    for (field, value, words) in [
        (
            "begin",
            "[9223372036854775808]",
            "integer `9223372036854775808`, expected an integer of 64 bits for `begin`",
        ),
        (
            "end",
            "[-9223372036854775809]",
            "expected an integer of 64 bits for `end`",
        ),
        (
            "begin_mask",
            "18446744073709551615",
            "expected an integer of 64 bits for `begin_mask`",
        ),
        (
            "strides",
            "null",
            "expected a list of integers for `strides`",
        ),
        ("end_mask", "null", "expected an integer for `end_mask`"),
        ("end_mask", "[0]", "expected an integer for `end_mask`"),
    ] {
        let mut all = pairs(BIT_MASKED);
        let at = all
            .iter()
            .position(|pair| pair.0 == field)
            .expect("a field");
        all[at].1 = value.to_owned();
        let error = serde_json::from_str::<tensorflow::StridedSlice>(&json(&all))
            .unwrap_err()
            .to_string();
        assert!(error.contains(words), "{error}");
    }
    let error = serde_json::from_str::<onnx::Slice>(r#"{ "opset": -1, "starts": [], "ends": [] }"#);
    let error = error.unwrap_err().to_string();
    assert!(
        error.contains("expected an integer of 32 bits that is not negative for `opset`"),
        "{error}"
    );
}

/// A graph's attributes may stand beside the masks; what looks like a mask is one, misspelt.
#[test]
fn the_attributes_of_a_tensorflow_node() {
    let read = |attribute: &str| {
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
            read(attribute).as_ref().map(|op| op.begin_mask),
            Ok(0),
            "{attribute}"
        );
    }
    for (attribute, words) in [
        (r#""_begin_mask": 1"#, "did you mean `begin_mask`?"),
        (
            r#""begin_mask": { "value": "1" }"#,
            "unknown field `value`: known are `i`",
        ),
        (
            r#""begin_mask": { "i": "1", "i": "1" }"#,
            "field `i` is given twice",
        ),
        (
            r#""begin_mask": { "i": "1", "s": "" }"#,
            "unknown field `s`",
        ),
        (r#""begin_mask": {}"#, "missing field `i`"),
        (
            r#""begin_mask": { "i": { "i": "1" } }"#,
            "invalid type: map",
        ),
        (
            r#""begin_mask": "1.0""#,
            "expected an integer for `begin_mask`",
        ),
        (r#""dtype": "DT_FLOAT""#, "unknown field `dtype`"),
    ] {
        let error = read(attribute).unwrap_err();
        assert!(error.contains(words), "{attribute}: {error}");
    }
}
