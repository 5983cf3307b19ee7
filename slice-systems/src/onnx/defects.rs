//! Known defects of ONNX Runtime 1.31.1.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("ONNX Runtime", "1.31.1", text)
}

pub(super) const INT_MAX: Defect =
    defect("an end of 2147483647 is treated as the end of the axis, even if the axis is longer");

/// All defects.
pub(super) const ALL: &[Defect] = &[INT_MAX];
