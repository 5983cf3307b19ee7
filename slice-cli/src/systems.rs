//! Writes a slice in every system's notation.

use std::fmt::Display;

use slice_core::{DynOuterSpec, DynSliceSpec, Selection};
use slice_ops::Operation;
use slice_ops::onnx::OnnxPlan;
use slice_ops::translate::{TranslateError, Translated};

/// A system's name, and its operation or the reason for a refusal.
pub type Form = (&'static str, Result<Translated<String>, TranslateError>);

fn form<Op: Display>(
    system: &'static str,
    translated: Result<Translated<Op>, TranslateError>,
) -> Form {
    let worded = translated.map(|Translated { op, defects }| Translated {
        op: op.to_string(),
        defects,
    });
    (system, worded)
}

macro_rules! forms {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => {
        /// Translates a slice for every shape, to all systems that need neither a shape nor a rank, except Python.
        pub fn for_every_shape(spec: &DynSliceSpec) -> Vec<Form> {
            let forms = [$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_spec(spec),
            )),*];
            let needs_shape = |form: &Form| matches!(form.1, Err(TranslateError::NeedsShape { .. }));
            forms.into_iter().skip(1).filter(|form| !needs_shape(form)).collect()
        }

        /// Translates a slice for the shape of the selection, to all systems but Python.
        pub fn for_one_shape(selection: &Selection, opset: u32) -> Vec<Form> {
            let forms = [$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_selection(selection),
            )),*];
            let forms = forms.into_iter().skip(1).map(|(system, written)| match system {
                // The opset must be the requested one.
                "ONNX" => form(system, OnnxPlan::from_selection(selection, opset)),
                _ => (system, written),
            });
            forms.collect()
        }

        /// Translates a slice with lists for arrays of this shape, to all systems including Python.
        pub fn with_lists(spec: &DynOuterSpec, shape: &[usize]) -> Vec<Form> {
            Vec::from([$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_outer_spec(spec, shape),
            )),*])
        }
    };
}

slice_ops::for_each_system!(forms);

/// Translates a slice to ONNX's operators for every shape of this rank.
pub fn for_every_shape_of_rank(spec: &DynSliceSpec, rank: usize, opset: u32) -> Form {
    form("ONNX", OnnxPlan::from_spec(spec, rank, opset))
}
