//! Known wrong results of PyTorch 2.15.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("PyTorch", "2.15.0", text)
}

pub(super) const WIDE_STEP: Defect = defect(
    "steps overflow 64 bits, alone or multiplied by a stride in memory: the result is empty without an error, or refused",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[WIDE_STEP];
