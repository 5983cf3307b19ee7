//! Other processors, which run only portable loops.

use crate::copy::isa::InstructionSet;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;

/// Returns the only set.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Baseline
}

/// Returns `None`, because no kernel moves vectors.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(_: InstructionSet) -> Option<&'static VectorKernels> {
    None
}

/// Returns `None`, because the size is not detected on these processors.
pub(super) fn largest_cache() -> Option<usize> {
    None
}
