//! Known defects of PyTorch 2.15.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("PyTorch", "2.15.0", text)
}

pub(super) const WIDE_STEP: Defect = defect(
    "a step that overflows 64 bits, by itself or multiplied by a memory stride, is rejected, \
     or gives an empty result without an error",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[WIDE_STEP];
