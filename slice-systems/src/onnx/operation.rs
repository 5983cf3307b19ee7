//! Implements `Display`, `Explain` and `Operation` for ONNX's `Slice`.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Selection};

use super::defects;
use super::{EndRule, OnnxPlan, Program, Slice};
use crate::error::OperationError;
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::Split;
use crate::operation::{Operation, System};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.call_text("x"))
    }
}

impl Slice {
    /// Returns the operator as a call, with `operand` as its input.
    pub(super) fn call_text(&self, operand: &str) -> String {
        let (opset, starts, ends) = (self.opset, &self.starts, &self.ends);
        let mut call = format!("Slice-{opset}({operand}, starts={starts:?}, ends={ends:?}");
        for (name, vector) in [("axes", &self.axes), ("steps", &self.steps)] {
            if let Some(vector) = vector {
                call += &format!(", {name}={vector:?}");
            }
        }
        call + ")"
    }
}

impl Explain for Slice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        self.explain_with(EndRule::Specification, shape)
    }
}

/// The opset of operators that are translated through the trait [`Operation`], which has no parameter for the opset.
const DEFAULT_OPSET: u32 = 13;

impl Operation for Slice {
    const SYSTEM: System = System {
        folder: "onnx",
        name: "ONNX",
        version: "1.23",
        defects: defects::ALL,
    };

    type Written = OnnxPlan;
    type WithLists = Program;

    fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
        Program::from_split(split, DEFAULT_OPSET)
    }

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Slice::resolve(self, shape)
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        Slice::to_spec(self)
    }

    fn from_selection(selection: &Selection) -> Result<Translated<OnnxPlan>, TranslateError> {
        OnnxPlan::from_selection(selection, DEFAULT_OPSET)
    }
}
