//! Known defects of PyTorch 2.15.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("PyTorch", "2.15.0", text)
}

pub(super) const WIDE_STEP: Defect = defect(
    "a step that overflows 64 bits when it is added to the length of the range or multiplied by the memory stride of the \
     axis is rejected, or gives an empty result without an error",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[WIDE_STEP];
