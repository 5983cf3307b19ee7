//! Other processors: portable loops only.

use crate::copy::isa::InstructionSet;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;

/// Returns the one set.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Baseline
}

/// Returns nothing: there are no kernels that move vectors.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(_: InstructionSet) -> Option<&'static VectorKernels> {
    None
}

/// Returns nothing: nobody is asked.
pub(super) fn largest_cache() -> Option<usize> {
    None
}
