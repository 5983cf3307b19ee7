//! Checks the numbers of inputs and outputs and the attributes of ONNX operators that select elements.

use super::attributes::Attributes;

/// A version of an operator: its name and its first opset, the minimum and the maximum number of inputs, the maximum
/// number of outputs, and its attributes. An attribute that ends with `!` is required.
type Schema = (
    &'static str,
    u32,
    (usize, usize),
    usize,
    &'static [&'static str],
);

/// The newest opset that is known. Operators of newer opsets are not checked.
const NEWEST_OPSET: u32 = 28;

/// The maximum number of outputs of a split.
const MANY: usize = usize::MAX;

/// The versions of each operator, oldest first.
const SCHEMAS: [Schema; 17] = [
    ("Slice", 1, (1, 1), 1, &["axes", "starts!", "ends!"]),
    ("Slice", 10, (3, 5), 1, &[]),
    ("Gather", 1, (2, 2), 1, &["axis"]),
    ("GatherElements", 11, (2, 2), 1, &["axis"]),
    ("GatherND", 11, (2, 2), 1, &[]),
    ("GatherND", 12, (2, 2), 1, &["batch_dims"]),
    ("Compress", 9, (2, 2), 1, &["axis"]),
    ("Split", 1, (1, 2), MANY, &["axis", "split"]),
    ("Split", 2, (1, 1), MANY, &["axis", "split"]),
    ("Split", 13, (1, 2), MANY, &["axis"]),
    ("Split", 18, (1, 2), MANY, &["axis", "num_outputs"]),
    ("Squeeze", 1, (1, 1), 1, &["axes"]),
    ("Squeeze", 13, (1, 2), 1, &[]),
    ("Unsqueeze", 1, (1, 1), 1, &["axes!"]),
    ("Unsqueeze", 13, (2, 2), 1, &[]),
    (
        "ReverseSequence",
        10,
        (2, 2),
        1,
        &["batch_axis", "time_axis"],
    ),
    ("SplitToSequence", 11, (1, 2), 1, &["axis", "keepdims"]),
];

/// Returns the reason why a node does not fit its operator, or `None` if it does, or if the operator does not select
/// elements. `inputs` and `outputs` are names, which are empty for omitted inputs.
pub(super) fn mistake(
    operator: &str,
    opset: u32,
    inputs: &[&str],
    outputs: usize,
    attributes: &Attributes<'_>,
) -> Option<String> {
    let mut versions = SCHEMAS.iter().filter(|schema| schema.0 == operator);
    if opset > NEWEST_OPSET || versions.clone().next().is_none() {
        return None;
    }
    let version = versions.rfind(|schema| schema.1 <= opset);
    let Some((_, _, (min, max), max_outputs, known_attributes)) = version else {
        return Some(format!(
            "the operator {operator} does not exist in opset {opset}"
        ));
    };
    let count = inputs.len();
    if inputs.iter().take(*min).any(|name| name.is_empty()) || count < *min || count > *max {
        let expected = match min == max {
            true => min.to_string(),
            false => format!("{min} to {max}"),
        };
        let given = inputs.iter().filter(|name| !name.is_empty()).count();
        return Some(format!(
            "{operator} has {expected} inputs in opset {opset}, but {given} are given"
        ));
    }
    if outputs > *max_outputs {
        return Some(format!(
            "{operator} has {max_outputs} output, but {outputs} are given"
        ));
    }
    let is_known = |name: &str| {
        let mut known = known_attributes.iter();
        known.any(|known| known.trim_end_matches('!') == name)
    };
    if let Some(name) = attributes.names().find(|name| !is_known(name)) {
        return Some(format!(
            "{operator} has no attribute `{name}` in opset {opset}"
        ));
    }
    let mut required = known_attributes
        .iter()
        .filter_map(|name| name.strip_suffix('!'));
    if let Some(name) = required.find(|name| !attributes.names().any(|given| given == *name)) {
        return Some(format!(
            "the operation lacks the required attribute `{name}`"
        ));
    }
    match operator {
        "Split" if opset >= 18 => split_mistake(inputs, outputs, attributes),
        "Squeeze" if inputs.get(1) == Some(&"") => Some(
            "ONNX Runtime rejects an empty name for the axes; omit the second input".to_owned(),
        ),
        "ReverseSequence" => {
            let axes = ["time_axis", "batch_axis"].map(|name| (name, attributes.int(name)));
            let invalid = axes.into_iter().find_map(|(name, axis)| {
                Some((name, axis.filter(|axis| !(-2..2).contains(axis))?))
            });
            invalid.map(|(name, axis)| format!("`{name}` must be 0 or 1, not {axis}"))
        }
        _ => None,
    }
}

/// Since opset 18, either the lengths or the number of the parts is given.
fn split_mistake(inputs: &[&str], outputs: usize, attributes: &Attributes<'_>) -> Option<String> {
    let has_lengths = inputs.get(1).is_some_and(|name| !name.is_empty());
    match (has_lengths, attributes.int("num_outputs")) {
        (true, None) => None,
        (true, Some(_)) => Some("both the lengths of the parts and `num_outputs` are given".into()),
        (false, None) => {
            Some("neither the lengths of the parts nor `num_outputs` are given".into())
        }
        (false, Some(count)) => {
            let is_enough = usize::try_from(count).is_ok_and(|count| count >= outputs);
            (!is_enough).then(|| {
                format!("`num_outputs` is {count}, but the number of outputs is {outputs}")
            })
        }
    }
}
