//! One slice, in any of the ways to write it on a command line.

use std::fmt;

use clap::Args;
use serde::de::DeserializeOwned;
use slice_core::dialect::tensorstore::{IndexTransform, TransformError};
use slice_core::dialect::{OperationError, mindspore, onnx, openvino, tensorflow};
use slice_core::explain::Explanation;
use slice_core::explain::ItemRole;
use slice_core::translate::TranslateError;
use slice_core::{DynSliceSpec, Selection, SliceError};

use crate::input::{self, BadInput};

/// One slice, in one of the ways to write it.
#[derive(Args)]
#[group(required = true, multiple = false)]
pub struct What {
    /// A slice as Python writes it, such as "1:, ..., newaxis, :-3:-1"
    #[arg(allow_hyphen_values = true)]
    slice: Option<String>,

    /// TensorFlow's StridedSlice: begin, end, strides, begin_mask, end_mask, ellipsis_mask, ...
    #[arg(long, value_name = "JSON")]
    tf: Option<String>,

    /// OpenVINO's StridedSlice: the same, with lists as masks
    #[arg(long, value_name = "JSON")]
    openvino: Option<String>,

    /// MindSpore's StridedSlice: as TensorFlow's
    #[arg(long, value_name = "JSON")]
    mindspore: Option<String>,

    /// ONNX's Slice: starts, ends, axes, steps, opset
    #[arg(long, value_name = "JSON")]
    onnx: Option<String>,

    /// The same with ONNX Runtime's reading of INT_MAX
    #[arg(long, value_name = "JSON")]
    onnxruntime: Option<String>,

    /// TensorStore's IndexTransform: input_inclusive_min, input_exclusive_max, output
    #[arg(long, value_name = "JSON")]
    tensorstore: Option<String>,
}

/// What was written.
pub enum Operation {
    /// As Python writes it.
    Python(DynSliceSpec),
    /// As TensorFlow's operation.
    TensorFlow(tensorflow::StridedSlice),
    /// As OpenVINO's operation.
    OpenVino(openvino::StridedSlice),
    /// As MindSpore's operation.
    MindSpore(mindspore::StridedSlice),
    /// As ONNX's operator.
    Onnx(onnx::Slice),
    /// As ONNX's operator, which ONNX Runtime reads in its own way.
    OnnxRuntime(onnx::Slice),
    /// As TensorStore's transform.
    TensorStore(IndexTransform),
}

impl What {
    /// Reads what was written.
    ///
    /// # Errors
    ///
    /// If it is neither a slice nor such an operation. For an operation without its option, the error names the option.
    pub fn read(&self) -> Result<Operation, BadInput> {
        fn json<Op: DeserializeOwned>(
            json: Option<&String>,
            operation: fn(Op) -> Operation,
        ) -> Option<Result<Operation, BadInput>> {
            json.map(|json| input::json(json).map(operation))
        }
        let operation = json(self.tf.as_ref(), Operation::TensorFlow)
            .or_else(|| json(self.openvino.as_ref(), Operation::OpenVino))
            .or_else(|| json(self.mindspore.as_ref(), Operation::MindSpore))
            .or_else(|| json(self.onnx.as_ref(), Operation::Onnx))
            .or_else(|| json(self.onnxruntime.as_ref(), Operation::OnnxRuntime))
            .or_else(|| json(self.tensorstore.as_ref(), Operation::TensorStore));
        if let Some(operation) = operation {
            return operation;
        }
        let text = self.slice.as_deref().unwrap_or_default();
        if text.trim_start().starts_with('{') {
            let option = option(text);
            let message = format!("an operation in JSON needs its system: use `{option}`");
            return Err(BadInput::usage(message));
        }
        Ok(Operation::Python(text.parse()?))
    }

    /// The JSON that was given, if it was JSON.
    #[must_use]
    pub fn json(&self) -> Option<&str> {
        let json = [
            &self.tf,
            &self.openvino,
            &self.mindspore,
            &self.onnx,
            &self.onnxruntime,
            &self.tensorstore,
        ];
        json.into_iter().find_map(|json| json.as_deref())
    }
}

/// The option for JSON with these fields.
fn option(json: &str) -> &'static str {
    let is_list = |field: &serde_json::Value| field.is_array();
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(json) else {
        return "--tf";
    };
    let masks = fields.iter().filter(|(name, _)| name.ends_with("_mask"));
    match () {
        () if fields.keys().any(|name| name.starts_with("input_")) => "--tensorstore",
        () if fields.contains_key("starts") || fields.contains_key("ends") => "--onnx",
        () if masks.map(|(_, mask)| mask).any(is_list) => "--openvino",
        () => "--tf` or `--mindspore",
    }
}

/// The entry that walks backwards to an end that ONNX Runtime takes for "to the end".
fn open_end(op: &onnx::Slice) -> Option<usize> {
    let ends = [i64::from(i32::MAX), i64::MAX];
    let mut steps = op.steps.iter().flatten().zip(&op.ends);
    steps.position(|(&step, end)| step < 0 && ends.contains(end))
}

impl Operation {
    /// Why it selects what it selects of an array of this shape.
    ///
    /// # Errors
    ///
    /// For a transform that is not a slice; what is wrong with other operations is part of the explanation.
    pub fn explain(&self, shape: &[usize]) -> Result<Explanation, NoSlice> {
        Ok(match self {
            Operation::Python(spec) => spec.explain(shape),
            Operation::TensorFlow(op) => op.explain(shape),
            Operation::OpenVino(op) => op.explain(shape),
            Operation::MindSpore(op) => op.explain(shape),
            Operation::Onnx(op) => op.explain(shape),
            Operation::OnnxRuntime(op) => op.explain_onnxruntime(shape),
            Operation::TensorStore(_) => self.to_spec(Some(shape), None)?.explain(shape),
        })
    }

    /// The slice that selects the same of arrays of this shape, of this rank, or of every shape.
    ///
    /// # Errors
    ///
    /// If there is none, or if the operation does not fit the shape.
    pub fn to_spec(
        &self,
        shape: Option<&[usize]>,
        rank: Option<usize>,
    ) -> Result<DynSliceSpec, NoSlice> {
        let for_every_shape = match (self, rank) {
            (Operation::Python(spec), _) => Ok(spec.clone()),
            (Operation::TensorFlow(op), _) => op.to_spec(),
            (Operation::OpenVino(op), _) => op.to_spec(),
            (Operation::MindSpore(op), _) => op.to_spec(),
            (Operation::OnnxRuntime(op), _) if open_end(op).is_some() => {
                let item = open_end(op).unwrap_or_default();
                Err(TranslateError::IntMaxEnd { item })
            }
            (Operation::Onnx(op) | Operation::OnnxRuntime(op), Some(rank)) => {
                op.to_spec_for_rank(rank)
            }
            (Operation::Onnx(op) | Operation::OnnxRuntime(op), None) => op.to_spec(),
            (Operation::TensorStore(op), _) => match (op.to_spec(), shape) {
                (Ok(spec), None) => Ok(spec),
                (Err(error), None) => return Err(error.into()),
                // Nothing is clamped: it fits the shape, or is an error.
                (spec, Some(shape)) => {
                    let selection = op.resolve(shape)?;
                    spec.or_else(|_| DynSliceSpec::from_selection(&selection))
                }
            },
        };
        match (for_every_shape, shape) {
            (Err(error @ TranslateError::Invalid(_)), _) => Err(error.into()),
            // What depends on the length of an axis is known once there is one.
            (Err(_), Some(shape)) => Ok(DynSliceSpec::from_selection(&self.resolve(shape)?)?),
            (spec, _) => Ok(spec?),
        }
    }

    /// What it selects of an array of this shape.
    ///
    /// # Errors
    ///
    /// If it does not fit the shape, or is a transform that is not a slice.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, NoSlice> {
        let selection = match self {
            Operation::Python(spec) => spec.resolve(shape).map_err(OperationError::from),
            Operation::TensorFlow(op) => op.resolve(shape),
            Operation::OpenVino(op) => op.resolve(shape),
            Operation::MindSpore(op) => op.resolve(shape),
            Operation::Onnx(op) => op.resolve(shape),
            Operation::OnnxRuntime(op) => op.resolve_onnxruntime(shape),
            Operation::TensorStore(op) => return Ok(op.resolve(shape)?),
        };
        Ok(selection.map_err(TranslateError::from)?)
    }
}

/// Why there is no slice that selects what an operation selects.
#[derive(Debug)]
pub enum NoSlice {
    /// It cannot be translated.
    Translation(TranslateError),
    /// A transform does not fit, or is not a slice.
    Transform(TransformError),
}

impl fmt::Display for NoSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoSlice::Translation(error) => error.fmt(f),
            NoSlice::Transform(error) => error.fmt(f),
        }
    }
}

impl From<TranslateError> for NoSlice {
    fn from(error: TranslateError) -> Self {
        NoSlice::Translation(error)
    }
}

impl From<TransformError> for NoSlice {
    fn from(error: TransformError) -> Self {
        NoSlice::Transform(error)
    }
}

/// The error, with carets under the item of a Python slice that it is about.
#[must_use]
pub fn under_the_item(explanation: &Explanation, error: OperationError) -> BadInput {
    let items = explanation
        .entries()
        .iter()
        .filter(|entry| entry.written.is_some());
    let mut consuming = items
        .clone()
        .filter(|entry| matches!(entry.role, ItemRole::Range | ItemRole::Index));
    let item = match error {
        OperationError::Slice(SliceError::IndexOutOfBounds { item, .. }) => Some(item),
        OperationError::Slice(SliceError::TooManyIndices { rank, .. }) => {
            consuming.nth(rank).and_then(|entry| entry.item)
        }
        _ => None,
    };
    let texts: Vec<&str> = items.filter_map(|entry| entry.written.as_deref()).collect();
    match item {
        Some(item) if explanation.subject() == format!("x[{}]", texts.join(", ")) => {
            let at = "x[".len()
                + texts[..item]
                    .iter()
                    .map(|text| text.len() + 2)
                    .sum::<usize>();
            BadInput::new(error, explanation.subject(), at, texts[item].len())
        }
        _ => BadInput::slice(error.to_string()),
    }
}
