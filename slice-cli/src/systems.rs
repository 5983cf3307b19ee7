//! Translates slices to the operations of TensorFlow, ONNX and the other systems.

use std::fmt::Display;

use slice_core::{DynSliceSpec, Selection};
use slice_systems::Operation;
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};

/// The name of a system, with the translated operation or the reason why the slice cannot be translated.
pub type Translation = (&'static str, Result<Translated<String>, TranslateError>);

fn translation<Op: Display>(
    system: &'static str,
    translated: Result<Translated<Op>, TranslateError>,
) -> Translation {
    let translated = translated.map(|Translated { op, defects }| Translated {
        op: op.to_string(),
        defects,
    });
    (system, translated)
}

macro_rules! translations {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => {
        /// Translates a slice independently of the shape. Omits Python and the systems whose operations depend on the
        /// shape or the rank.
        pub fn for_every_shape(spec: &DynSliceSpec) -> Vec<Translation> {
            let translations = [$(translation(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_spec(spec),
            )),*];
            let needs_shape = |translation: &Translation| matches!(translation.1, Err(TranslateError::NeedsShape { .. }));
            translations.into_iter().skip(1).filter(|translation| !needs_shape(translation)).collect()
        }

        /// Translates a selection to every system except Python. The operations are valid only for the input shape of
        /// the selection.
        pub fn for_one_shape(selection: &Selection, opset: u32) -> Vec<Translation> {
            let translations = [$(translation(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_selection(selection),
            )),*];
            let translations = translations.into_iter().skip(1).map(|(system, translated)| match system {
                // `Operation::from_selection` would use the default opset.
                "ONNX" => translation(system, OnnxPlan::from_selection(selection, opset)),
                _ => (system, translated),
            });
            translations.collect()
        }

        /// Translates a slice with lists to every system, including Python, for arrays of shape `shape`.
        pub fn for_one_shape_with_lists(spec: &DynSliceSpec, shape: &[usize]) -> Vec<Translation> {
            Vec::from([$(translation(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_spec_for_shape(spec, shape),
            )),*])
        }
    };
}

slice_systems::for_each_system!(translations);

/// Translates a slice to ONNX operators that are valid for every shape of rank `rank`.
pub fn for_every_shape_of_rank(spec: &DynSliceSpec, rank: usize, opset: u32) -> Translation {
    translation("ONNX", OnnxPlan::from_spec(spec, rank, opset))
}
