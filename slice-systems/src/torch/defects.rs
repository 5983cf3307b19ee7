//! Known defects of PyTorch 2.15.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("PyTorch", "2.15.0", text)
}

pub(super) const WIDE_STEP: Defect = defect(
    "if the sum of a step and the length of the range, or the product of a step and the memory stride of the axis, overflows \
     64 bits, PyTorch rejects the step, or returns an empty result without an error",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[WIDE_STEP];
