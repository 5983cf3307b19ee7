//! Known defects of MindSpore 2.10.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("MindSpore", "2.10.0", text)
}

pub(super) const RANK: Defect = defect("the kernel refuses more than 8 axes");
pub(super) const WIDE_STRIDE: Defect =
    defect("the kernel refuses or truncates strides beyond 32 bits");
pub(super) const VIEW_OVERFLOW: Defect =
    defect("the view adds the stride to the number of elements in 64 bits, which overflows");
pub(super) const DIVISION_BY_ZERO: Defect =
    defect("the kernel divides by zero if one axis is sliced and an axis before it has length 0");
pub(super) const ONE_AXIS_ONLY: Defect = defect(
    "the kernel leaves axes unchanged, even reversed ones, if only one other axis changes its length",
);
pub(super) const BEYOND_THE_END: Defect =
    defect("the kernel reads beyond an axis if a reverse range begins at or beyond its end");
pub(super) const BEFORE_THE_START: Defect =
    defect("the kernel takes the first element if a reverse range begins before it");
pub(super) const BY_POSITION: Defect =
    defect("the kernel applies entry i to axis i, even after new axes or an ellipsis");

/// All defects.
pub(super) const ALL: &[Defect] = &[
    RANK,
    WIDE_STRIDE,
    VIEW_OVERFLOW,
    DIVISION_BY_ZERO,
    ONE_AXIS_ONLY,
    BEYOND_THE_END,
    BEFORE_THE_START,
    BY_POSITION,
];
