//! Lists known bugs of model converters. For each bug, `tests/converters` contains a minimal model.

mod onnx;
mod tensorflow;
#[cfg(test)]
mod tests;

use serde::Serialize;
use slice_core::DynSliceSpec;
use slice_systems::{AnyOperation, System, onnx as ops, tensorflow as tf};

use crate::model::Format;
use crate::model::select::KnownOperation;

/// A known converter bug that affects certain operations.
///
/// # Examples
///
/// ```
/// use slice_check::Model;
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let flipped = &report.slices[4];
/// assert_eq!(flipped.slice.as_deref(), Some("x[:, ::-1]"));
/// let bug = &flipped.converters[0];
/// assert_eq!((bug.converter, bug.version), ("onnx2tf", "1.29.24"));
/// assert_eq!(bug.text, "the axis is not reversed; the output equals the input");
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConverterBug {
    /// The name of the converter, or of a library that reads models directly.
    pub converter: &'static str,
    /// The tested version.
    pub version: &'static str,
    /// A description of the bug.
    pub text: &'static str,
    /// The name of the minimal model in `tests/converters`.
    pub model: &'static str,
    /// The name of the slice-systems module for the converter's target system, or `None` if slice-systems does not support the
    /// target.
    #[serde(skip)]
    system: Option<&'static str>,
}

/// The known properties of the sliced array.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Input<'a> {
    /// The rank, if known.
    pub rank: Option<usize>,
    /// The lengths of all axes, if known.
    pub lengths: Option<&'a [usize]>,
}

/// The condition under which a bug affects an operation of a certain type.
#[derive(Clone, Copy)]
enum Condition {
    /// ONNX's `Slice`.
    Slice(fn(&ops::Slice, Input<'_>) -> bool),
    /// ONNX's `Slice` with known steps, and with starts and ends that are known only at run time.
    UnknownBounds(fn(&[i64], Input<'_>) -> bool),
    /// The axes of ONNX's `Unsqueeze`.
    Unsqueeze(fn(&[i64], Input<'_>) -> bool),
    /// ONNX's `Gather` with a single index.
    Index(fn(&DynSliceSpec, Input<'_>) -> bool),
    /// TensorFlow's `StridedSlice`.
    StridedSlice(fn(&tf::StridedSlice, Input<'_>) -> bool),
}

/// A converter: its name, its tested version and its target system.
#[derive(Clone, Copy)]
struct Converter(&'static str, &'static str, Option<&'static str>);

impl Converter {
    /// Creates an entry for a bug of this converter, with the condition under which the bug affects an operation.
    /// `model` is the name of the minimal model.
    const fn bug(
        self,
        model: &'static str,
        text: &'static str,
        condition: Condition,
    ) -> (ConverterBug, Condition) {
        let Converter(converter, version, system) = self;
        let bug = ConverterBug {
            converter,
            version,
            text,
            model,
            system,
        };
        (bug, condition)
    }
}

/// Returns the bugs of the converters with an input format, with their conditions.
fn bugs_of_format(format: Format) -> &'static [(ConverterBug, Condition)] {
    match format {
        Format::Onnx => &onnx::BUGS,
        Format::TensorFlow => &tensorflow::BUGS,
        _ => &[],
    }
}

fn exceeds_32_bits(number: i64) -> bool {
    i32::try_from(number).is_err()
}

/// Returns the lowest 32 bits of a number, as a signed integer.
fn truncate_to_32_bits(number: i64) -> i64 {
    i64::from(number as i32)
}

/// Returns whether two operations are valid and give different results. Returns `false` if the lengths are unknown.
fn selects_differently<Op>(operation: &Op, changed: &Op, input: Input<'_>) -> bool
where
    Op: Clone + Into<AnyOperation>,
{
    let resolve = |operation: &Op| operation.clone().into().resolve(input.lengths?).ok();
    match (resolve(operation), resolve(changed)) {
        (Some(one), Some(other)) => {
            let are_empty = one.is_empty() && other.is_empty();
            one != other && !(are_empty && one.output_shape() == other.output_shape())
        }
        _ => false,
    }
}

/// Returns the converter bugs that affect an operation in a model in a format.
pub(crate) fn bugs(
    format: Format,
    operation: &KnownOperation,
    input: Input<'_>,
) -> Vec<ConverterBug> {
    let holds = |condition: Condition| match (condition, operation) {
        (Condition::Slice(holds), KnownOperation::Any(AnyOperation::Onnx(slice))) => {
            holds(slice, input)
        }
        (Condition::Unsqueeze(holds), KnownOperation::Axes(ops::Op::Unsqueeze { axes })) => {
            holds(axes, input)
        }
        (Condition::Index(holds), KnownOperation::Any(AnyOperation::Python(spec))) => {
            holds(spec, input)
        }
        (Condition::StridedSlice(holds), KnownOperation::Any(AnyOperation::TensorFlow(slice))) => {
            holds(slice, input)
        }
        _ => false,
    };
    let matching_bugs = bugs_of_format(format).iter();
    let matching_bugs = matching_bugs.filter(|(_, condition)| holds(*condition));
    matching_bugs.map(|(bug, _)| bug.clone()).collect()
}

/// Returns the converter bugs that affect ONNX's `Slice` with these steps, if the starts and ends are known only at run
/// time.
pub(crate) fn bugs_with_unknown_bounds(steps: &[i64], input: Input<'_>) -> Vec<ConverterBug> {
    let matching_bugs = onnx::BUGS.iter().filter(|(_, condition)| match condition {
        Condition::UnknownBounds(holds) => holds(steps, input),
        _ => false,
    });
    matching_bugs.map(|(bug, _)| bug.clone()).collect()
}

impl ConverterBug {
    /// Returns whether the converter's target is one of `systems`. Always returns `true` if `systems` is empty.
    pub(crate) fn has_target_in(&self, systems: &[System]) -> bool {
        let is_target = |one: &System| self.system == Some(one.id);
        systems.is_empty() || systems.iter().any(is_target)
    }
}
