//! Known defects of OpenVINO 2026.4.1.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("OpenVINO", "2026.4.1", text)
}

pub(super) const SCALAR_INPUT: Defect = defect(
    "a slice of a scalar returns memory from outside the tensor, unless the CPU plugin runs it with constant begin, end and strides",
);
pub(super) const UNCHECKED_INDEX: Defect = defect(
    "the CPU plugin with variable begin, end and strides does not check indices: an index out of range selects the first or \
     last element or, if the axis is empty or does not exist, memory from outside the tensor",
);
pub(super) const NEW_AXIS_AFTER_ELLIPSIS: Defect = defect(
    "the CPU plugin with variable begin, end and strides misplaces a new axis after the ellipsis",
);
pub(super) const REVERSE_OF_NOTHING: Defect =
    defect("the evaluation (not the CPU plugin) returns length 1 for a reversed axis of length 0");
pub(super) const WIDE_STRIDE: Defect = defect(
    "the CPU plugin truncates strides to 32 bits, and does not handle a stride of -2147483648",
);
pub(super) const WIDE_BOUND: Defect =
    defect("the CPU plugin with variable begin, end and strides truncates bounds to 32 bits");
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
