//! Detects the instruction set on AArch64 with NEON, which is part of every AArch64 target with hardware floating
//! point.

use super::isa::InstructionSet;

/// Returns NEON, the only instruction set used on AArch64.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Neon
}

/// Returns `None`, because programs in user space cannot read the sizes of the caches.
pub(super) fn largest_cache_bytes() -> Option<usize> {
    None
}
