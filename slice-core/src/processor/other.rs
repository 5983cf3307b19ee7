//! Defines the baseline as the instruction set of all processors except x86-64 with SSE2 and AArch64 with NEON. Neither
//! instruction sets nor caches are detected on these processors.

use super::isa::InstructionSet;

/// Returns the baseline, the only instruction set used on these processors.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Baseline
}

/// Returns `None`, because the sizes of the caches are not detected on these processors.
pub(super) fn largest_cache_bytes() -> Option<usize> {
    None
}
