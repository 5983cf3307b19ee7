//! Selects the instruction set on processors other than x86-64 with SSE2. On these processors, neither instruction sets nor
//! caches are detected: NEON is part of every AArch64 target with hardware floating point, and programs in user space cannot
//! read the sizes of the caches.

use super::isa::InstructionSet;

/// Returns the only instruction set used on the processor.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    match cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
        true => InstructionSet::Neon,
        false => InstructionSet::Baseline,
    }
}

/// Returns `None`, because the sizes of the caches are not detected on these processors.
pub(super) fn largest_cache_bytes() -> Option<usize> {
    None
}
