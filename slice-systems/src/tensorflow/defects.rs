//! Known defects of TensorFlow 2.21.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("TensorFlow", "2.21.0", text)
}

pub(super) const HIGH_RANK: Defect =
    defect("the CPU kernel cannot copy arrays with more than 8 axes");
pub(super) const TOO_FEW_MASK_BITS: Defect = defect(
    "if the array has more than 32 axes, the kernel's masks have too few bits, so the kernel selects the wrong elements",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[HIGH_RANK, TOO_FEW_MASK_BITS];
