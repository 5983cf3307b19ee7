//! Known defects of MindSpore 2.10.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("MindSpore", "2.10.0", text)
}

pub(super) const HIGH_RANK: Defect = defect("the kernel rejects arrays with more than 8 axes");
pub(super) const WIDE_STRIDE: Defect =
    defect("the kernel rejects or truncates lengths and strides that do not fit in 32 bits");
pub(super) const VIEW_OVERFLOW: Defect = defect(
    "for a view, MindSpore adds the stride to the number of selected positions without an overflow check, so a stride near 2^63 gives an incorrect result",
);
pub(super) const DIVISION_BY_ZERO: Defect = defect(
    "if the slice changes the length of only one axis, and an earlier axis has length 0, the kernel divides by zero",
);
pub(super) const ONE_AXIS_ONLY: Defect = defect(
    "if the slice changes the length of only one axis, the kernel slices only that axis, and ignores the slice's other \
     effects, such as a reversed axis",
);
pub(super) const BEYOND_THE_END: Defect = defect(
    "if a reverse range begins at or beyond the end of an axis, the kernel reads beyond the axis instead of starting at \
     the last element",
);
pub(super) const BEFORE_THE_START: Defect = defect(
    "if a reverse range begins before the first element, the kernel selects that element instead of nothing",
);
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
