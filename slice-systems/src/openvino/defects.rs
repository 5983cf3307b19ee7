//! Known defects of OpenVINO 2026.4.1.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("OpenVINO", "2026.4.1", text)
}

pub(super) const SCALAR_INPUT: Defect = defect(
    "for a slice of a scalar, OpenVINO returns memory from outside the tensor, unless begin, end and strides are constant and \
     the CPU plugin runs the slice",
);
pub(super) const UNCHECKED_INDEX: Defect = defect(
    "if begin, end and strides are not constant, the CPU plugin does not check indices: for an index out of range, it selects \
     the first or last element or, if the axis is empty or does not exist, reads memory outside the tensor",
);
pub(super) const NEW_AXIS_AFTER_ELLIPSIS: Defect = defect(
    "if begin, end and strides are not constant, the CPU plugin misplaces a new axis after the ellipsis",
);
pub(super) const REVERSE_OF_NOTHING: Defect = defect(
    "the reference implementation (`evaluate`), unlike the CPU plugin, returns length 1 instead of 0 for a reversed axis of length 0",
);
pub(super) const WIDE_STRIDE: Defect =
    defect("the CPU plugin truncates strides to 32 bits, and mishandles a stride of -2147483648");
pub(super) const WIDE_BOUND: Defect = defect(
    "if begin, end and strides are not constant, the CPU plugin truncates bounds to 32 bits",
);
pub(super) const GATHER_OF_NOTHING: Defect =
    defect("the CPU plugin crashes in a Gather with constant indices and an empty result");

/// All defects.
pub(super) const ALL: &[Defect] = &[
    SCALAR_INPUT,
    UNCHECKED_INDEX,
    NEW_AXIS_AFTER_ELLIPSIS,
    REVERSE_OF_NOTHING,
    WIDE_STRIDE,
    WIDE_BOUND,
    GATHER_OF_NOTHING,
];
