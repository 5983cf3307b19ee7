//! Kernels for AArch64 with NEON, which every processor of the usual targets has.

mod neon;

use crate::copy::isa::InstructionSet;
use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;

/// Returns the richest set of the target.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Neon
}

/// Returns the kernels of a set.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(
    isa: InstructionSet,
) -> Option<&'static VectorKernels> {
    (isa == InstructionSet::Neon).then(neon::kernels::<D>)
}

/// Returns `None`, because user programs cannot read the size.
pub(super) fn largest_cache() -> Option<usize> {
    None
}
