//! A slice as every system writes it.

use std::fmt::Display;

use slice_core::{DynOuterSpec, DynSliceSpec, Selection};
use slice_ops::Operation;
use slice_ops::onnx::OnnxPlan;
use slice_ops::translate::{TranslateError, Translated};

/// A system's name, and its operation or the reason why there is none.
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
        /// The systems but Python that need no shape, and no number of axes, for what is right for every shape.
        pub fn for_every_shape(spec: &DynSliceSpec) -> Vec<Form> {
            let forms = [$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_spec(spec),
            )),*];
            let needs_shape = |form: &Form| matches!(form.1, Err(TranslateError::NeedsShape { .. }));
            forms.into_iter().skip(1).filter(|form| !needs_shape(form)).collect()
        }

        /// All systems but Python, for the shape of the selection.
        pub fn for_one_shape(selection: &Selection, opset: u32) -> Vec<Form> {
            let forms = [$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_selection(selection),
            )),*];
            let forms = forms.into_iter().skip(1).map(|(system, written)| match system {
                // Of the version that was asked for.
                "ONNX" => form(system, OnnxPlan::from_selection(selection, opset)),
                _ => (system, written),
            });
            forms.collect()
        }

        /// All systems, Python among them, for a slice with lists and arrays of this shape.
        pub fn with_lists(spec: &DynOuterSpec, shape: &[usize]) -> Vec<Form> {
            Vec::from([$(form(
                <$Operation as Operation>::SYSTEM.name,
                <$Operation as Operation>::from_outer_spec(spec, shape),
            )),*])
        }
    };
}

slice_ops::for_each_system!(forms);

/// The operators of ONNX that are right for every shape of this many axes.
pub fn for_every_shape_of_rank(spec: &DynSliceSpec, rank: usize, opset: u32) -> Form {
    form("ONNX", OnnxPlan::from_spec(spec, rank, opset))
}
