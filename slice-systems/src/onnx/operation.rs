//! Implements `Display` and `Explain` for ONNX's `Slice`.

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Display};

use super::{EndRule, Slice};
use crate::explain::Explanation;
use crate::explain::systems::Explain;

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
