//! Defines the baseline as the instruction set of all other processors, whose instruction sets and caches are not
//! detected.

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
