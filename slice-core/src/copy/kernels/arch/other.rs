//! Other processors, which run only portable loops.

use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;
use crate::processor::isa::InstructionSet;

/// Returns `None`, because no kernel moves vectors.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(_: InstructionSet) -> Option<&'static VectorKernels> {
    None
}
