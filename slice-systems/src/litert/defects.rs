//! Known defects of LiteRT 2.3.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("LiteRT", "2.3.0", text)
}

pub(super) const UNCHECKED_INDEX: Defect = defect(
    "an index out of range is not an error: for an index beyond the last element, LiteRT reads memory outside the tensor, and \
     for an index before the first element, it selects the first element",
);
pub(super) const SCALAR_INPUT: Defect = defect(
    "XNNPACK rejects 0-dimensional float32 inputs, which LiteRT can slice without delegates",
);

/// All defects.
pub(super) const ALL: &[Defect] = &[
    UNCHECKED_INDEX,
    SCALAR_INPUT,
    defect(
        "for float32 inputs, XNNPACK treats an end of 0 with a stride of 1 as the end of the axis",
    ),
    defect(
        "if offset is set, and the operands are computed at run time, allocate_tensors reads the operands before they exist, and crashes",
    ),
    defect(
        "if offset is set, and the length of a range exceeds the rest of the axis, LiteRT accesses memory outside the tensor, or crashes",
    ),
    defect("an ellipsis that should cover no axis covers the next axis instead"),
    defect(
        "REVERSE_V2 crashes if no axes are given, or if an axis after the reversed axes has length 0",
    ),
];
