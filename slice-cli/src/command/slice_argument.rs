//! Defines the arguments that specify a slice in `slice explain` and `slice translate`.

use crate::input::{self, CommandError};
use crate::operation::{self, AnyProgram, Operation};
use clap::Args;
use serde::de::DeserializeOwned;
use slice_systems::tensorstore::IndexTransform;
use slice_systems::{coreml, litert, mindspore, onnx, openvino, stablehlo, tensorflow, torch};

/// The slice: either in Python's notation, or as a system's operation in JSON.
#[derive(Args, Debug)]
#[group(required = true, multiple = false)]
pub struct SliceArgument {
    /// A slice in Python's notation, such as "1:, ..., newaxis, :-3:-1"
    #[arg(allow_hyphen_values = true)]
    slice: Option<String>,

    /// TensorFlow's StridedSlice: begin, end, strides, begin_mask, end_mask, ellipsis_mask, ...
    #[arg(long, value_name = "JSON")]
    tf: Option<String>,

    /// OpenVINO's StridedSlice: TensorFlow's fields, with masks as lists
    #[arg(long, value_name = "JSON")]
    openvino: Option<String>,

    /// MindSpore's StridedSlice: TensorFlow's fields
    #[arg(long, value_name = "JSON")]
    mindspore: Option<String>,

    /// ONNX's Slice: starts, ends, axes, steps, opset
    #[arg(long, value_name = "JSON")]
    onnx: Option<String>,

    /// ONNX's Slice as interpreted by ONNX Runtime, which treats ends of INT_MAX with negative steps as omitted
    #[arg(long, value_name = "JSON")]
    onnxruntime: Option<String>,

    /// TensorStore's IndexTransform: input_inclusive_min, input_exclusive_max, output
    #[arg(long, value_name = "JSON")]
    tensorstore: Option<String>,

    /// LiteRT's STRIDED_SLICE: TensorFlow's fields, and offset
    #[arg(long, value_name = "JSON")]
    litert: Option<String>,

    /// PyTorch's slice.Tensor: dim, start, end, step
    #[arg(long, value_name = "JSON")]
    torch: Option<String>,

    /// StableHLO's slice: start_indices, limit_indices, strides
    #[arg(long, value_name = "JSON")]
    stablehlo: Option<String>,

    /// Core ML's slice_by_index: begin, end, stride, begin_mask, end_mask, squeeze_mask
    #[arg(long, value_name = "JSON")]
    coreml: Option<String>,
}

impl SliceArgument {
    /// Reads the slice, and returns it with the argument as written. Returns an error if the text is neither a slice
    /// nor an operation. If the text is JSON but no option names its system, the error suggests an option.
    pub fn read(&self) -> Result<(Operation, &str), CommandError> {
        fn json<Op>(json: Option<&String>) -> Option<Result<(Operation, &str), CommandError>>
        where
            Op: slice_systems::Operation<WithLists: DeserializeOwned + AnyProgram + 'static>,
            Op: DeserializeOwned + Into<Operation>,
        {
            json.map(|json| Ok((operation::read::<Op>(json)?, json.as_str())))
        }
        let runtime = |json| Ok((Operation::OnnxRuntime(input::parse_json(json)?), json));
        let operation = json::<tensorflow::StridedSlice>(self.tf.as_ref())
            .or_else(|| json::<openvino::StridedSlice>(self.openvino.as_ref()))
            .or_else(|| json::<mindspore::StridedSlice>(self.mindspore.as_ref()))
            .or_else(|| json::<onnx::Slice>(self.onnx.as_ref()))
            .or_else(|| self.onnxruntime.as_deref().map(runtime))
            .or_else(|| json::<IndexTransform>(self.tensorstore.as_ref()))
            .or_else(|| json::<litert::StridedSlice>(self.litert.as_ref()))
            .or_else(|| json::<torch::Slice>(self.torch.as_ref()))
            .or_else(|| json::<stablehlo::Slice>(self.stablehlo.as_ref()))
            .or_else(|| json::<coreml::SliceByIndex>(self.coreml.as_ref()));
        if let Some(operation) = operation {
            return operation;
        }
        let text = self.slice.as_deref().unwrap_or_default();
        if text.trim_start().starts_with('{') {
            let option = guess_option(text);
            let message = format!(
                "an operation in JSON needs an option that names its system: use `{option}`"
            );
            return Err(CommandError::usage(message));
        }
        Ok((operation::read_python(text)?, text))
    }
}

/// Guesses the option for an operation in JSON from its fields. If several options are possible, returns all of them,
/// with the backticks that separate them in the message.
fn guess_option(json: &str) -> &'static str {
    let is_list = |field: &serde_json::Value| field.is_array();
    let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(json) else {
        return "--tf";
    };
    let masks = fields.iter().filter(|(name, _)| name.ends_with("_mask"));
    match () {
        () if fields.keys().any(|name| name.starts_with("input_")) => "--tensorstore",
        () if fields.contains_key("dim") => "--torch",
        () if fields.contains_key("limit_indices") => "--stablehlo",
        () if fields.contains_key("squeeze_mask") || fields.contains_key("stride") => "--coreml",
        () if fields.contains_key("offset") => "--litert",
        () if fields.contains_key("starts") || fields.contains_key("ends") => "--onnx",
        () if masks.map(|(_, mask)| mask).any(is_list) => "--openvino",
        () => "--tf`, `--mindspore` or `--litert",
    }
}
