//! Reads slices in Python's notation, and operations and programs of TensorFlow, ONNX and the other systems in JSON,
//! and converts them to equivalent slices. A *program* is a sequence of operations that together perform one slice.

use serde::de::DeserializeOwned;
use serde_json::Value;
use slice_core::{DynSliceSpec, ItemRole, Selection, SliceError};
use slice_systems::explain::Explanation;
use slice_systems::lists::Operations;
use slice_systems::program::Program;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::translate::TranslateError;
use slice_systems::{AnyOperation, Explain, Operation as _, OperationError, onnx};

use crate::input::{self, CommandError};

/// A slice in the notation in which it was entered.
pub enum Operation {
    /// An operation of a system, or a slice in Python's notation.
    Any(AnyOperation),
    /// ONNX's `Slice`, as interpreted by ONNX Runtime.
    OnnxRuntime(onnx::Slice),
    /// A sequence of operations of one system, or a TensorStore transform with index arrays.
    Program(Box<dyn AnyProgram>),
}

/// A program of any system: a sequence of operations, each of which is applied to the result of the previous one.
pub trait AnyProgram: Operations {
    /// Explains what the operations select from an array of shape `shape`. Mistakes in the operations of a program are
    /// part of the explanation. For a transform, returns an error if it does not fit the shape or has no equivalent
    /// slice.
    fn explain(&self, shape: &[usize]) -> Result<Explanation, TranslateError>;
}

impl<Op> AnyProgram for Program<Op>
where
    Program<Op>: Operations + Explain,
{
    fn explain(&self, shape: &[usize]) -> Result<Explanation, TranslateError> {
        Ok(Explain::explain(self, shape))
    }
}

/// A transform with index arrays is treated as a program of one operation. Its index arrays become lists.
impl AnyProgram for IndexTransform {
    fn explain(&self, shape: &[usize]) -> Result<Explanation, TranslateError> {
        Ok(self.to_spec_for_shape(shape)?.explain(shape))
    }
}

/// Reads an operation or a program of a system from JSON. A program is an object with the field `ops`. A TensorStore
/// transform with index arrays is also read as a program. Returns an error if the text is neither an operation nor a
/// program of the system.
pub fn read<Op>(text: &str) -> Result<Operation, CommandError>
where
    Op: slice_systems::Operation<WithLists: DeserializeOwned + AnyProgram + 'static>,
    Op: DeserializeOwned + Into<Operation>,
{
    let is_program = serde_json::from_str::<Value>(text).is_ok_and(|json| {
        let maps = json["output"].as_array();
        json.get("ops").is_some()
            || maps.is_some_and(|maps| maps.iter().any(|map| map.get("index_array").is_some()))
    });
    match is_program {
        true => Ok(Operation::Program(Box::new(input::parse_json::<
            Op::WithLists,
        >(text)?))),
        false => Ok(input::parse_json::<Op>(text)?.into()),
    }
}

/// Reads a slice in Python's notation. Returns an error if the text is not a slice.
pub fn read_python(text: &str) -> Result<Operation, CommandError> {
    Ok(text.parse::<AnyOperation>()?.into())
}

impl<Op: Into<AnyOperation>> From<Op> for Operation {
    fn from(op: Op) -> Self {
        Operation::Any(op.into())
    }
}

/// Returns the index of the first entry with a negative step and an end of INT32_MAX or INT64_MAX. ONNX Runtime treats
/// such an end as omitted.
fn entry_with_int_max_end(op: &onnx::Slice) -> Option<usize> {
    let ends = [i64::from(i32::MAX), i64::MAX];
    let mut steps = op.steps.iter().flatten().zip(&op.ends);
    steps.position(|(&step, end)| step < 0 && ends.contains(end))
}

impl Operation {
    /// Explains what the operation selects from an array of shape `shape`. Returns an error if a transform does not fit
    /// the shape or has no equivalent slice. Other mistakes are part of the explanation.
    pub fn explain(&self, shape: &[usize]) -> Result<Explanation, TranslateError> {
        Ok(match self {
            Operation::Any(AnyOperation::TensorStore(_)) => {
                self.to_spec(Some(shape), None)?.explain(shape)
            }
            Operation::Any(op) => op.explain(shape),
            Operation::OnnxRuntime(op) => op.explain_onnxruntime(shape),
            Operation::Program(program) => program.explain(shape)?,
        })
    }

    /// Returns a slice without lists that is equivalent for all shapes, or for all shapes of rank `rank` if the rank is
    /// given. If there is no such slice and `shape` is given, returns a slice that is equivalent for that shape.
    /// Returns an error if there is no such slice, or if the operation is invalid or does not fit the shape.
    pub fn to_spec(
        &self,
        shape: Option<&[usize]>,
        rank: Option<usize>,
    ) -> Result<DynSliceSpec, TranslateError> {
        let for_every_shape = match (self, rank) {
            (Operation::OnnxRuntime(op), _) if entry_with_int_max_end(op).is_some() => {
                let item = entry_with_int_max_end(op).unwrap_or_default();
                Err(TranslateError::IntMaxEnd { item })
            }
            (Operation::Any(AnyOperation::Onnx(op)) | Operation::OnnxRuntime(op), Some(rank)) => {
                op.to_spec_for_rank(rank)
            }
            (Operation::OnnxRuntime(op), None) => op.to_spec(),
            (Operation::Any(AnyOperation::TensorStore(op)), _) => match (op.to_spec(), shape) {
                (Ok(spec), None) => Ok(spec),
                (Err(error), None) => return Err(error),
                // A transform never clamps bounds. It is therefore resolved even if it has an equivalent slice, so that
                // an error is reported if it does not fit the shape.
                (spec, Some(shape)) => {
                    let selection = op.resolve(shape)?;
                    spec.or_else(|_| Ok(DynSliceSpec::from_selection(&selection)?.op))
                }
            },
            (Operation::Any(AnyOperation::Python(spec)), _) if spec.has_lists() => {
                return Err(LIST_ERROR);
            }
            (Operation::Any(op), _) => op.to_spec(),
            (Operation::Program(program), Some(rank)) => program.to_spec_for_rank(rank),
            (Operation::Program(_), None) => {
                let system = "a program of several operations";
                return Err(TranslateError::NeedsShape { system });
            }
        };
        match (for_every_shape, shape) {
            (Err(error @ TranslateError::Operation(_)), _) => Err(error),
            // A slice that depends on the length of an axis can be written only for a known shape.
            (Err(_), Some(shape)) => Ok(DynSliceSpec::from_selection(&self.resolve(shape)?)?.op),
            (spec, _) => spec,
        }
    }

    /// Returns a slice with lists that is equivalent for arrays of shape `shape`, or `None` if the operation does not
    /// select by a list. Returns an error if the operation does not fit the shape or has no equivalent slice.
    pub fn lists(&self, shape: &[usize]) -> Result<Option<DynSliceSpec>, TranslateError> {
        match self {
            Operation::Any(AnyOperation::Python(spec)) if spec.has_lists() => {
                Ok(Some(spec.clone()))
            }
            Operation::Program(program) => match program.to_spec_for_rank(shape.len()) {
                Err(TranslateError::List { .. }) => Ok(Some(program.to_spec_for_shape(shape)?)),
                _ => Ok(None),
            },
            Operation::Any(_) | Operation::OnnxRuntime(_) => Ok(None),
        }
    }

    /// Resolves the operation for an array of shape `shape`. Returns an error if the operation is invalid or does not
    /// fit the shape, or is a transform that has no equivalent slice.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, TranslateError> {
        let selection = match self {
            Operation::Any(AnyOperation::TensorStore(op)) => return Ok(op.resolve(shape)?),
            Operation::Any(op) => op.resolve(shape),
            Operation::OnnxRuntime(op) => op.resolve_onnxruntime(shape),
            Operation::Program(program) => program.resolve(shape),
        };
        Ok(selection?)
    }
}

/// The error for a slice with lists where only a slice without lists is supported.
const LIST_ERROR: TranslateError = TranslateError::List {
    operation: "the slice",
};

/// Creates an error with carets under the item of a Python slice to which `error` refers, or without carets if there is
/// no such item.
#[must_use]
pub fn error_under_item(explanation: &Explanation, error: OperationError) -> CommandError {
    let items = explanation
        .entries
        .iter()
        .filter(|entry| entry.written.is_some());
    let mut axis_items = items
        .clone()
        .filter(|entry| matches!(entry.role, ItemRole::Range | ItemRole::Index));
    let item = match error {
        OperationError::Slice(
            SliceError::IndexOutOfBounds { item, .. }
            | SliceError::ListIndexOutOfBounds { item, .. }
            | SliceError::MaskLength { item, .. },
        ) => Some(item),
        OperationError::Slice(SliceError::TooManyIndices { rank, .. }) => {
            axis_items.nth(rank).and_then(|entry| entry.item)
        }
        _ => None,
    };
    let texts: Vec<String> = items.filter_map(|entry| entry.written.clone()).collect();
    match item {
        Some(item) if explanation.subject == format!("x[{}]", texts.join(", ")) => {
            CommandError::at_item(error, &texts, item)
        }
        _ => error.into(),
    }
}
