//! Kernels for AArch64 with NEON, which every processor of the usual targets has.

mod neon;

use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;
use crate::processor::isa::InstructionSet;

/// Returns the kernels of a set.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(
    isa: InstructionSet,
) -> Option<&'static VectorKernels> {
    (isa == InstructionSet::Neon).then(neon::kernels::<D>)
}
