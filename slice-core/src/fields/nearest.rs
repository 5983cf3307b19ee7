//! Finds the intended field for a misspelled name, or for a name that TensorFlow, ONNX or Python uses for the same field.

use alloc::string::String;
use alloc::vec::Vec;

/// Groups of names that ONNX, Python and TensorFlow use for the same field.
const SYNONYMS: [&[&str]; 3] = [
    &["begin", "begins", "start", "starts"],
    &["end", "ends", "stop", "stops"],
    &["strides", "stride", "steps", "step"],
];

/// Returns the field with the most similar name, or `None` if no field has a similar name.
pub(super) fn nearest(name: &str, fields: &[&'static str]) -> Option<&'static str> {
    let name = letters(name);
    if name.is_empty() || name.len() > 32 {
        return None;
    }
    let synonyms = SYNONYMS.iter().filter(|group| group.contains(&&*name));
    let mut synonymous = fields.iter().filter(|field| {
        let mut synonyms = synonyms.clone();
        synonyms.any(|group| group.contains(field))
    });
    if let Some(&field) = synonymous.next() {
        return Some(field);
    }
    let mut completions = fields
        .iter()
        .filter(|field| letters(field).starts_with(&name));
    if let (Some(&field), None) = (completions.next(), completions.next()) {
        return Some(field);
    }
    let candidates = fields.iter().filter_map(|&field| {
        let distance = distance(&name, &letters(field));
        (distance <= name.len().max(field.len()).div_ceil(4)).then_some((distance, field))
    });
    candidates
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, field)| field)
}

/// Returns the letters and digits of a name in lower case, so that different spellings of a name are equal.
fn letters(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Returns the edit distance: the minimum number of letters to change, add, remove, or swap with a neighbor, to turn
/// `from` into `to`.
fn distance(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let (mut above, mut row) = (Vec::new(), (0..=to.len()).collect::<Vec<_>>());
    let mut before = None;
    for (i, a) in from.chars().enumerate() {
        let mut next = Vec::from([i + 1]);
        for (j, &b) in to.iter().enumerate() {
            let changed = row[j] + usize::from(a != b);
            let mut cost = changed.min(row[j + 1] + 1).min(next[j] + 1);
            if j > 0 && before == Some(b) && to[j - 1] == a {
                cost = cost.min(above[j - 1] + 1);
            }
            next.push(cost);
        }
        (above, row) = (row, next);
        before = Some(a);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fields of TensorFlow's `StridedSlice`.
    const TENSORFLOW: &[&str] = &[
        "begin",
        "end",
        "strides",
        "begin_mask",
        "end_mask",
        "ellipsis_mask",
        "new_axis_mask",
        "shrink_axis_mask",
    ];
    /// The fields of ONNX's `Slice`.
    const ONNX: &[&str] = &["opset", "starts", "ends", "axes", "steps"];

    #[test]
    fn misspelled_names_are_corrected_to_the_intended_field() {
        for &field in [TENSORFLOW, ONNX].iter().flat_map(|fields| fields.iter()) {
            let fields = if ONNX.contains(&field) {
                ONNX
            } else {
                TENSORFLOW
            };
            let mut misspellings = Vec::from([
                field.to_uppercase(),
                field.replace('_', ""),
                field.replace('_', "-"),
            ]);
            for i in 0..field.len() {
                let (before, after) = field.split_at(i);
                misspellings.push([before, &after[1..]].concat());
                misspellings.push([before, "x", after].concat());
                misspellings.push([before, "x", &after[1..]].concat());
                if after.len() > 1 {
                    misspellings.push([before, &after[1..2], &after[..1], &after[2..]].concat());
                }
            }
            for misspelling in misspellings {
                assert_eq!(nearest(&misspelling, fields), Some(field), "{misspelling}");
            }
        }
    }

    #[test]
    fn names_from_other_systems_are_corrected_to_the_equivalent_field() {
        for (name, fields, corrected) in [
            ("starts", TENSORFLOW, "begin"),
            ("ends", TENSORFLOW, "end"),
            ("steps", TENSORFLOW, "strides"),
            ("stop", TENSORFLOW, "end"),
            ("newaxis", TENSORFLOW, "new_axis_mask"),
            ("ellipsis", TENSORFLOW, "ellipsis_mask"),
            ("shrink_mask", TENSORFLOW, "shrink_axis_mask"),
            ("begin", ONNX, "starts"),
            ("end", ONNX, "ends"),
            ("strides", ONNX, "steps"),
            ("axis", ONNX, "axes"),
        ] {
            assert_eq!(nearest(name, fields), Some(corrected), "{name}");
        }
    }

    #[test]
    fn dissimilar_names_have_no_nearest_field() {
        for name in [
            "",
            "_",
            "T",
            "Index",
            "_output_shapes",
            "_class",
            "dtype",
            "shape",
            "mask",
            "é",
        ] {
            assert_eq!(nearest(name, TENSORFLOW), None, "{name}");
        }
        assert_eq!(nearest(&"begin".repeat(1000), TENSORFLOW), None);
    }
}
