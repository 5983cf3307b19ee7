//! The instruction sets and the caches of the processor that runs the program. Each architecture has a file.
//!
//! All code that depends on the processor uses this module, which asks the processor each question once.

mod answer;
pub(crate) mod isa;

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[path = "aarch64.rs"]
mod native;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "x86_64", target_feature = "sse2")
)))]
#[path = "other.rs"]
mod native;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "x86_64.rs"]
mod native;

use answer::Answer;
use isa::InstructionSet;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use native::halves_vectors;

/// Returns the richest set that the running processor has and `limit` includes.
#[inline(always)]
pub(crate) fn detect(limit: Option<InstructionSet>) -> InstructionSet {
    let found = native::detect();
    match limit {
        None => found,
        Some(limit) => found.limited_to(limit),
    }
}

/// Returns the richest instruction set of the running processor, for tests and benchmarks.
#[cfg(any(test, feature = "__bench"))]
#[must_use]
pub fn instruction_set() -> InstructionSet {
    detect(None)
}

/// Returns the size of the largest cache in bytes, or a common size if the processor does not report it.
#[inline]
pub(crate) fn last_level_cache() -> usize {
    static FOUND: Answer<usize> = Answer::unknown();
    FOUND.or_ask(|| {
        let found = native::largest_cache().filter(|&size| size >= 1 << 20);
        found.unwrap_or(32 << 20)
    })
}

#[cfg(all(test, miri, target_feature = "avx2"))]
mod tests {
    use super::instruction_set;
    use super::isa::InstructionSet;

    /// Miri reports the features that are given to the compiler. A set is detected only if it has all of its features.
    #[test]
    fn kernels_for_avx2_are_chosen_under_miri() {
        assert!(instruction_set().includes(InstructionSet::Avx2));
    }
}
