//! Known defects of MindSpore 2.10.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("MindSpore", "2.10.0", text)
}

pub(super) const HIGH_RANK: Defect = defect("the kernel rejects arrays with more than 8 axes");
pub(super) const WIDE_STRIDE: Defect =
    defect("the kernel rejects or truncates strides that do not fit in 32 bits");
pub(super) const VIEW_OVERFLOW: Defect =
    defect("for a view, the sum of the stride and the number of elements overflows 64 bits");
pub(super) const DIVISION_BY_ZERO: Defect = defect(
    "the kernel divides by zero if only one axis changes its length and an axis before it has length 0",
);
pub(super) const ONE_AXIS_ONLY: Defect = defect(
    "if only one axis changes its length, the kernel slices only that axis, and leaves the others unchanged",
);
pub(super) const BEYOND_THE_END: Defect = defect(
    "the kernel reads beyond the end of an axis if a reverse range begins at or beyond that end",
);
pub(super) const BEFORE_THE_START: Defect =
    defect("the kernel selects the first element if a reverse range begins before that element");
pub(super) const WRONG_AXIS: Defect = defect(
    "the kernel applies entry i to axis i, even if new axes or an ellipsis come before the entry",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[
    HIGH_RANK,
    WIDE_STRIDE,
    VIEW_OVERFLOW,
    DIVISION_BY_ZERO,
    ONE_AXIS_ONLY,
    BEYOND_THE_END,
    BEFORE_THE_START,
    WRONG_AXIS,
];
