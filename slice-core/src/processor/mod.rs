//! Detects the instruction set and the largest cache of the current processor. The code for x86-64 is in its own
//! file.
//!
//! All code that depends on the processor uses this module. Each property is detected when it is first used, and the
//! result is kept for later uses.

mod detected;
pub(crate) mod isa;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[path = "other.rs"]
mod native;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "x86_64.rs"]
mod native;

use detected::Detected;
use isa::InstructionSet;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use native::moves_vectors_in_halves;

/// Returns the most capable instruction set that is supported by the current processor and, if there is a limit,
/// included in `limit`.
#[inline(always)]
pub(crate) fn detect(limit: Option<InstructionSet>) -> InstructionSet {
    let isa = native::detect();
    match limit {
        None => isa,
        Some(limit) => isa.limited_to(limit),
    }
}

/// Returns the most capable instruction set of the current processor, for tests and benchmarks.
#[cfg(any(test, feature = "__bench"))]
#[must_use]
pub fn instruction_set() -> InstructionSet {
    detect(None)
}

/// Returns the size of the largest cache in bytes, or 32 MiB if the processor reports no cache of at least 1 MiB.
#[inline]
pub(crate) fn last_level_cache_bytes() -> usize {
    static DETECTED: Detected = Detected::new();
    DETECTED.get_or_detect(|| {
        let bytes = native::largest_cache_bytes().filter(|&size| size >= 1 << 20);
        bytes.unwrap_or(32 << 20)
    })
}

#[cfg(all(test, miri, target_feature = "avx2"))]
mod tests {
    use super::instruction_set;
    use super::isa::InstructionSet;

    /// Under Miri, only the features that are passed to the compiler are detected. An instruction set is detected only
    /// if all its features are detected.
    #[test]
    fn avx2_is_detected_under_miri() {
        assert!(instruction_set().includes(InstructionSet::Avx2));
    }
}
