//! Known wrong results of LiteRT 2.3.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect {
        system: "LiteRT",
        version: "2.3.0",
        text,
    }
}

pub(super) const INDEX: Defect = defect(
    "an index out of range is not refused: behind the axis it reads foreign memory, before it the first element",
);
pub(super) const SCALAR: Defect =
    defect("XNNPACK refuses float32 inputs without axes; without delegates they are sliced");

/// All defects.
pub(super) const ALL: &[Defect] = &[
    INDEX,
    SCALAR,
    defect("XNNPACK takes an end of 0 with stride 1, of float32, for the end of the axis"),
    defect(
        "with offset and run-time operands, allocate_tensors reads them before they are there, and dies",
    ),
    defect(
        "with offset, a length that the axis does not have reads or writes foreign memory, or dies",
    ),
    defect("an ellipsis that covers no axis takes the next one all the same"),
    defect(
        "REVERSE_V2 without axes dies, and so it does if an axis behind those that it reverses has length 0",
    ),
];
