//! Kernels for SSE2, which every x86-64 processor supports, and for SSSE3, AVX2 and AVX-512.

mod avx2;
mod avx512;
mod compiled;
mod runs;
mod ssse3;

use crate::copy::kernels::direction::Direction;
use crate::copy::kernels::vectors::VectorKernels;
use crate::processor::isa::InstructionSet;

/// Returns the vector kernels of an instruction set.
#[inline(always)]
pub(in super::super) fn kernels<D: Direction>(
    isa: InstructionSet,
) -> Option<&'static VectorKernels> {
    Some(match isa {
        InstructionSet::Avx512 => avx512::kernels::<D>(),
        InstructionSet::Avx2 => avx2::kernels::<D>(),
        InstructionSet::Ssse3 => ssse3::kernels::<D>(),
        InstructionSet::Baseline | InstructionSet::Neon => ssse3::without_shuffles::<D>(),
    })
}
