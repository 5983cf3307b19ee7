//! Translates slices to the operations of TensorFlow, ONNX and the other systems.

use serde::Serialize;
use serde_json::{Value, json};
use slice_core::{DynSliceSpec, Selection};
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{Operation, System};

/// A slice that is to be translated.
#[derive(Clone, Copy)]
pub enum Slice<'a> {
    /// A slice for every shape, and the rank of the shapes, if known. ONNX's operators depend on the rank.
    EveryShape(&'a DynSliceSpec, Option<usize>),
    /// A slice for the input shape of a selection.
    OneShape(&'a Selection),
    /// A slice with lists for arrays of one shape.
    WithLists(&'a DynSliceSpec, &'a [usize]),
}

/// A system, with the translated operation or the reason why the slice cannot be translated.
pub type Translation = (System, Result<Translated<CallAndJson>, TranslateError>);

/// An operation of any system.
pub struct CallAndJson {
    /// The call in the system's own notation.
    pub call: String,
    /// The fields of the operation.
    pub json: Value,
}

fn translation<Op>(slice: Slice<'_>, opset: u32) -> Translation
where
    Op: Operation<WithoutLists: Serialize, WithLists: Serialize>,
{
    let is_onnx = Op::SYSTEM.id == "onnx";
    let written = match slice {
        // `Operation` would use the default opset.
        Slice::EveryShape(spec, Some(rank)) if is_onnx => {
            written(OnnxPlan::from_spec(spec, rank, opset))
        }
        Slice::OneShape(selection) if is_onnx => {
            written(OnnxPlan::from_selection(selection, opset))
        }
        Slice::EveryShape(spec, _) => written(Op::from_spec(spec)),
        Slice::OneShape(selection) => written(Op::from_selection(selection)),
        Slice::WithLists(spec, shape) => written(Op::from_spec_for_shape(spec, shape)),
    };
    (Op::SYSTEM, written)
}

fn written<Op: Serialize + ToString>(
    translated: Result<Translated<Op>, TranslateError>,
) -> Result<Translated<CallAndJson>, TranslateError> {
    translated.map(|Translated { op, defects }| Translated {
        op: CallAndJson {
            call: op.to_string(),
            json: json!(op),
        },
        defects,
    })
}

macro_rules! translations {
    ($($Name:ident: $Operation:ty = $id:literal,)*) => {
        /// Translates a slice to every system, beginning with Python. `opset` is the version of the ONNX operator set.
        #[must_use]
        pub fn translations(slice: Slice<'_>, opset: u32) -> Vec<Translation> {
            Vec::from([$(translation::<$Operation>(slice, opset)),*])
        }
    };
}

slice_systems::for_each_system!(translations);
