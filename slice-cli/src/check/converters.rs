//! Lists known mistakes of converters, each with a minimal model in `tests/converters`.

use serde::Serialize;
use slice_core::resolve::index;
use slice_ops::{AnyOperation, System, onnx, tensorflow};

/// A mistake that a converter makes with an operation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mistake {
    /// The converter, or the library that reads models.
    pub converter: &'static str,
    /// The tested version.
    pub version: &'static str,
    /// A description of the mistake.
    pub text: &'static str,
    /// The minimal model in `tests/converters`.
    pub model: &'static str,
    /// The target system of the converter.
    #[serde(skip)]
    system: Option<&'static str>,
}

/// The condition under which an operation is converted wrongly.
enum Condition {
    /// ONNX's `Slice` of an input whose shape may be known.
    Onnx(fn(&onnx::Slice, Option<&[usize]>) -> bool),
    /// TensorFlow's `StridedSlice`.
    TensorFlow(fn(&tensorflow::StridedSlice) -> bool),
}

const fn of(
    converter: &'static str,
    version: &'static str,
    system: Option<&'static str>,
    model: &'static str,
    text: &'static str,
) -> Mistake {
    Mistake {
        converter,
        version,
        text,
        model,
        system,
    }
}

const ALL: [(Mistake, Condition); 10] = [
    (
        of(
            "onnx2tf",
            "1.29.24",
            Some("litert"),
            "onnx-empty-01",
            "an end of 0 is treated as the end of the axis",
        ),
        Condition::Onnx(|slice, _| entries(slice).any(|(_, _, end, step)| end == 0 && step > 0)),
    ),
    (
        of(
            "onnx2tf",
            "1.29.24",
            Some("litert"),
            "onnx-negative-step-01",
            "the axis is not reversed; the output equals the input",
        ),
        Condition::Onnx(|slice, shape| {
            let turns = |(at, start, end, step)| {
                step == -1
                    && length(slice, at, shape).is_some_and(|length| turned(start, end, length))
            };
            let is_empty = shape.is_some_and(|shape| shape.contains(&0));
            !is_empty && in_order(slice, shape) && entries(slice).any(turns)
        }),
    ),
    (
        of(
            "onnx2tf",
            "1.29.24",
            Some("litert"),
            "onnx-axes-01",
            "bounds are applied to the axes in ascending order",
        ),
        Condition::Onnx(|slice, shape| {
            // The converter treats slices with other steps differently.
            slice.steps.iter().flatten().all(|&step| step > 0) && !in_order(slice, shape)
        }),
    ),
    (
        of(
            "IREE's ONNX importer",
            "3.13.0",
            None,
            "onnx-negative-step-15",
            "a start past the end of the axis causes an out-of-bounds read",
        ),
        Condition::Onnx(|slice, shape| {
            let is_behind =
                |at, start: i64| length(slice, at, shape).is_some_and(|length| start >= length);
            entries(slice).any(|(at, start, _, step)| step < 0 && is_behind(at, start))
        }),
    ),
    (
        of(
            "tract",
            "0.23.9",
            None,
            "onnx-sentinel-11",
            "steps are truncated to 32 bits",
        ),
        Condition::Onnx(|slice, _| slice.steps.iter().flatten().any(|&step| is_wide(step))),
    ),
    (
        of(
            "rten",
            "0.27.0",
            None,
            "onnx-axes-14",
            "without axes, the steps are used as axes",
        ),
        Condition::Onnx(|slice, _| slice.axes.is_none() && slice.steps.is_some()),
    ),
    (
        of(
            "TVM's ONNX frontend",
            "0.27.0.post1",
            None,
            "onnx-sentinel-12",
            "a step near 2^63 overflows",
        ),
        Condition::Onnx(|slice, _| {
            slice
                .steps
                .iter()
                .flatten()
                .any(|&step| step.unsigned_abs() > 1 << 62)
        }),
    ),
    (
        of(
            "tf2onnx",
            "1.17.0",
            Some("onnx"),
            "tf-minus-one-15",
            "after a negative begin, an end of 0 is treated as the end of the axis",
        ),
        Condition::TensorFlow(|slice| {
            ranges(slice).any(|(begin, end, stride, masks)| {
                begin < 0 && end == 0 && stride > 0 && masks == [false; 2]
            })
        }),
    ),
    (
        of(
            "tf2onnx",
            "1.17.0",
            Some("onnx"),
            "tf-sentinel-08",
            "an end of INT_MAX with a negative stride is copied, but ONNX Runtime interprets it differently",
        ),
        Condition::TensorFlow(|slice| {
            let is_most = |end| [i64::from(i32::MAX), i64::MAX].contains(&end);
            ranges(slice).any(|(_, end, stride, [_, open])| is_most(end) && stride < 0 && !open)
        }),
    ),
    (
        of(
            "TensorFlow's LiteRT converter",
            "2.21.0",
            Some("litert"),
            "tf-sentinel-16",
            "strides are truncated to 32 bits",
        ),
        Condition::TensorFlow(|slice| slice.strides.iter().any(|&stride| is_wide(stride))),
    ),
];

fn is_wide(number: i64) -> bool {
    i32::try_from(number).is_err()
}

/// Returns the position, start, end and step of each entry.
fn entries(slice: &onnx::Slice) -> impl Iterator<Item = (usize, i64, i64, i64)> {
    let steps = slice.steps.as_deref();
    let step = move |at| {
        steps
            .map_or(Some(1), |steps| steps.get(at).copied())
            .unwrap_or(1)
    };
    let bounds = slice.starts.iter().zip(&slice.ends).enumerate();
    bounds.map(move |(at, (&start, &end))| (at, start, end, step(at)))
}

/// Returns the length of the axis to which an entry refers.
fn length(slice: &onnx::Slice, at: usize, shape: Option<&[usize]>) -> Option<i64> {
    let shape = shape?;
    let axis = match &slice.axes {
        Some(axes) => index(*axes.get(at)?, shape.len())?,
        None => at,
    };
    i64::try_from(*shape.get(axis)?).ok()
}

/// Returns whether a step of -1 selects all of an axis, or selects from its end with a start of -1.
fn turned(start: i64, end: i64, length: i64) -> bool {
    let is_all = start.saturating_add(if start < 0 { length } else { 0 }) >= length - 1
        && end < 0
        && end.saturating_add(length) < 0;
    let from_the_end = start == -1 && end < length - 1 && end.saturating_add(length) != length - 1;
    length > 0 && (is_all || from_the_end)
}

/// Returns whether the axes are in ascending order.
fn in_order(slice: &onnx::Slice, shape: Option<&[usize]>) -> bool {
    let axis = |&axis: &i64| match shape {
        Some(shape) => index(axis, shape.len()).and_then(|axis| i64::try_from(axis).ok()),
        None => Some(axis),
    };
    let axes: Option<Vec<i64>> = slice.axes.iter().flatten().map(axis).collect();
    axes.is_none_or(|axes| axes.is_sorted())
}

/// Returns begin, end and stride of each range, and whether the begin and the end are masked.
fn ranges(slice: &tensorflow::StridedSlice) -> impl Iterator<Item = (i64, i64, i64, [bool; 2])> {
    let others = slice.ellipsis_mask | slice.new_axis_mask | slice.shrink_axis_mask;
    let bit = |mask: i64, at: usize| at < 64 && mask >> at & 1 == 1;
    let all = slice
        .begin
        .iter()
        .zip(&slice.end)
        .zip(&slice.strides)
        .enumerate();
    all.filter(move |(at, _)| !bit(others, *at))
        .map(move |(at, ((&begin, &end), &stride))| {
            let masks = [slice.begin_mask, slice.end_mask].map(|mask| bit(mask, at));
            (begin, end, stride, masks)
        })
}

/// Returns the mistakes of converters that affect an operation on an input of this shape.
pub fn mistakes(operation: &AnyOperation, shape: Option<&[usize]>) -> Vec<Mistake> {
    let holds = |condition: &Condition| match (condition, operation) {
        (Condition::Onnx(holds), AnyOperation::Onnx(slice)) => holds(slice, shape),
        (Condition::TensorFlow(holds), AnyOperation::TensorFlow(slice)) => holds(slice),
        _ => false,
    };
    let found = ALL.into_iter().filter(|(_, condition)| holds(condition));
    found.map(|(mistake, _)| mistake).collect()
}

impl Mistake {
    /// Returns whether the converter's target is one of these systems; always true if `wanted` is empty.
    pub fn is_of(&self, wanted: &[System]) -> bool {
        let is_its = |one: &System| self.system == Some(one.folder);
        wanted.is_empty() || wanted.iter().any(is_its)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::fs;

    use serde_json::Value;

    use super::*;

    /// The converters in `ALL`, and the names of their result files.
    const RESULTS: [(&str, &str); 7] = [
        ("onnx2tf", "onnx2tf"),
        ("IREE's ONNX importer", "iree-onnx"),
        ("tract", "tract"),
        ("rten", "rten"),
        ("TVM's ONNX frontend", "tvm-onnx"),
        ("tf2onnx", "tf2onnx"),
        ("TensorFlow's LiteRT converter", "tflite"),
    ];

    fn lines(path: &str) -> Vec<Value> {
        let path = format!("{}/../tests/converters/{path}", env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        text.lines()
            .map(|line| serde_json::from_str(line).expect("text is JSON"))
            .collect()
    }

    fn numbers(value: &Value) -> Option<Vec<i64>> {
        let list = value.as_array()?.iter();
        list.map(Value::as_i64).collect()
    }

    /// Returns the only slice of a model, if its numbers are constants.
    fn operation(model: &Value) -> Option<AnyOperation> {
        let [op] = &model["ops"].as_array()?[..] else {
            return None;
        };
        match op["op"].as_str()? {
            "Slice" if model["source"] == "onnx" => Some(AnyOperation::Onnx(onnx::Slice {
                opset: 17,
                starts: numbers(&op["starts"])?,
                ends: numbers(&op["ends"])?,
                axes: numbers(&op["axes"]),
                steps: numbers(&op["steps"]),
            })),
            "StridedSlice" => {
                let mask = |name: &str| op[name].as_i64().unwrap_or(0);
                Some(AnyOperation::TensorFlow(tensorflow::StridedSlice {
                    begin: numbers(&op["begin"])?,
                    end: numbers(&op["end"])?,
                    strides: numbers(&op["strides"])?,
                    begin_mask: mask("begin_mask"),
                    end_mask: mask("end_mask"),
                    ellipsis_mask: mask("ellipsis_mask"),
                    new_axis_mask: mask("new_axis_mask"),
                    shrink_axis_mask: mask("shrink_axis_mask"),
                }))
            }
            _ => None,
        }
    }

    /// Every converter fails on a model that matches one of its listed mistakes.
    #[test]
    fn models_that_meet_mistakes() {
        let mut verdicts = HashMap::new();
        for (name, file) in RESULTS {
            for row in lines(&format!("results/{file}.jsonl")) {
                if let (Some(model), Some(verdict)) =
                    (row["model"].as_str(), row["verdict"].as_str())
                {
                    let version = row["version"].as_str().unwrap_or_default().to_owned();
                    verdicts.insert((name, model.to_owned()), (verdict.to_owned(), version));
                }
            }
        }
        let (mut wrong, mut shown) = (Vec::new(), Vec::new());
        for model in lines("models.jsonl") {
            let Some(operation) = operation(&model) else {
                continue;
            };
            let shape = model["shape"].as_array().expect("model has a shape").iter();
            let shape: Vec<usize> = shape
                .map(|length| length.as_u64().expect("length is a number") as usize)
                .collect();
            let shape = (model["unknown"] != true).then_some(&shape[..]);
            let name = model["model"]
                .as_str()
                .expect("model has a name")
                .to_owned();
            for mistake in mistakes(&operation, shape) {
                let (verdict, version) = &verdicts[&(mistake.converter, name.clone())];
                assert_eq!(version, mistake.version);
                if verdict == "right" {
                    wrong.push((mistake.converter, name.clone(), mistake.text));
                }
                if name == mistake.model && verdict == "wrong" {
                    shown.push(mistake);
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
        for (mistake, _) in ALL {
            assert!(shown.contains(&mistake), "{mistake:?}");
        }
    }
}
