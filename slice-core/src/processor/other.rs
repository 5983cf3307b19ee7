//! Selects the baseline on processors other than x86-64 with SSE2 and AArch64 with NEON. On these processors, neither
//! instruction sets nor caches are detected.

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
