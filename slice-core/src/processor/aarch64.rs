//! AArch64 with NEON, which every processor of the usual targets has.

use super::isa::InstructionSet;

/// Returns the richest set of the target.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    InstructionSet::Neon
}

/// Returns `None`, because user programs cannot read the size.
pub(super) fn largest_cache() -> Option<usize> {
    None
}
