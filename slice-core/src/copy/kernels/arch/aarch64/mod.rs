//! Kernels for AArch64 with NEON, which is part of every AArch64 target with hardware floating point.

mod neon;

use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;
use crate::processor::isa::InstructionSet;

/// Returns the vector kernels of an instruction set, or `None` if the set has none.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(
    isa: InstructionSet,
) -> Option<&'static VectorKernels> {
    (isa == InstructionSet::Neon).then(neon::kernels::<D>)
}
