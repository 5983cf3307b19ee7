//! Known wrong results of LiteRT 2.3.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("LiteRT", "2.3.0", text)
}

pub(super) const INDEX: Defect = defect(
    "an index out of range is not an error: beyond the axis it reads outside the tensor, before the axis it selects the first element",
);
pub(super) const SCALAR: Defect =
    defect("XNNPACK refuses 0-dimensional float32 inputs; without delegates they are sliced");

/// All defects.
pub(super) const ALL: &[Defect] = &[
    INDEX,
    SCALAR,
    defect("XNNPACK treats an end of 0 with stride 1 as the end of the axis, for float32"),
    defect(
        "with offset and run-time operands, allocate_tensors reads the operands before they exist, and crashes",
    ),
    defect("with offset, a length beyond the axis reads or writes outside the tensor, or crashes"),
    defect("an ellipsis that covers no axis takes the next axis anyway"),
    defect("REVERSE_V2 crashes without axes, or if an axis after the reversed ones has length 0"),
];
