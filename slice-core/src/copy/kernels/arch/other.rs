//! Architectures without vector kernels, on which only portable loops run.

use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;
use crate::processor::isa::InstructionSet;

/// Returns `None`, because these architectures have no vector kernels.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(_: InstructionSet) -> Option<&'static VectorKernels> {
    None
}
