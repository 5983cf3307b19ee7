//! Detects the instruction set and the caches on x86-64. Every x86-64 processor supports SSE2, and this module detects
//! SSSE3, AVX2 and AVX-512.
//!
//! Instruction sets are detected with `std::arch::is_x86_feature_detected!`. Crates that wrap this macro
//! (`multiversion` and `pulp`) would not make plain loops faster, and the byte shuffles need intrinsics anyway, so a
//! wrapper would only add build time. Without `std`, the instruction set is that of the compilation target.

#![cfg_attr(not(miri), expect(unsafe_code))]

use super::detected::Detected;
use super::isa::InstructionSet;

/// Whether the instruction set is always `Baseline`, because nothing is detected at run time and the target does not
/// include SSSE3. `detect` then folds to a constant, and the compiler removes all other kernels.
const BASELINE_ONLY: bool = !cfg!(any(feature = "std", target_feature = "ssse3"));

/// Returns the most capable instruction set of the current processor.
#[inline(always)]
pub(super) fn detect() -> InstructionSet {
    match BASELINE_ONLY {
        true => InstructionSet::Baseline,
        false => {
            static DETECTED: Detected = Detected::new();
            InstructionSet::from_number(DETECTED.get_or_detect(|| detect_now() as usize))
        }
    }
}

#[cold]
fn detect_now() -> InstructionSet {
    #[cfg(feature = "std")]
    macro_rules! supports {
        ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
    }
    #[cfg(not(feature = "std"))]
    macro_rules! supports {
        ($($feature:tt),*) => { $(cfg!(target_feature = $feature))&&* };
    }
    if supports!(
        "avx512f",
        "avx512bw",
        "avx512vl",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512vpopcntdq",
        "avx2",
        "bmi2",
        "popcnt"
    ) {
        InstructionSet::Avx512
    } else if supports!("avx2", "bmi2", "popcnt") {
        InstructionSet::Avx2
    } else if supports!("ssse3") {
        InstructionSet::Ssse3
    } else {
        InstructionSet::Baseline
    }
}

/// The family of AMD's Zen 4, as reported by `cpuid`. Zen 4 has 512-bit vectors but moves them in two halves. Zen 3
/// belongs to the same family, but has no AVX-512. Zen 5 belongs to family 26.
#[cfg(not(miri))]
const ZEN_4_FAMILY: u32 = 25;

/// Returns `true` if the current processor moves 512-bit vectors in two halves.
#[inline]
pub(crate) fn moves_vectors_in_halves() -> bool {
    static DETECTED: Detected = Detected::new();
    DETECTED.get_or_detect(|| 1 + usize::from(detect_halves())) == 2
}

/// Returns `true` if `cpuid` reports an AMD processor of [`ZEN_4_FAMILY`].
#[cfg(not(miri))]
#[cold]
fn detect_halves() -> bool {
    use core::arch::x86_64::__cpuid;
    // Newer versions of Rust declare the intrinsic as safe.
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 processor supports the instruction.
    let (vendor, signature) = unsafe { (__cpuid(0), __cpuid(1).eax) };
    let name = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes);
    let (family, extended) = (signature >> 8 & 0xf, signature >> 20 & 0xff);
    name.as_flattened() == b"AuthenticAMD" && family + extended == ZEN_4_FAMILY
}

/// Returns `false`, because Miri does not support `cpuid`.
#[cfg(miri)]
fn detect_halves() -> bool {
    false
}

/// Returns the size, in bytes, of the largest cache that `cpuid` lists, or `None` if it lists no cache. Intel's
/// processors list caches in leaf 4, and AMD's processors in leaf 0x8000001D, in the same format.
#[cfg(not(miri))]
#[cold]
pub(super) fn largest_cache_bytes() -> Option<usize> {
    use core::arch::x86_64::__cpuid_count;
    // Newer versions of Rust declare the intrinsic as safe.
    #[allow(unused_unsafe)]
    // SAFETY: every x86-64 processor supports the instruction.
    let cpuid = |leaf: u32, subleaf: u32| unsafe { __cpuid_count(leaf, subleaf) };
    let bits = |word: u32, first: u32, count: u32| (word >> first & ((1 << count) - 1)) as usize;
    let caches = |leaf: u32| {
        let subleaves = (0..16).map(move |subleaf| cpuid(leaf, subleaf));
        let caches = subleaves.take_while(move |cache| bits(cache.eax, 0, 5) != 0);
        let size = move |cache: core::arch::x86_64::CpuidResult| {
            let (ways, partitions) = (bits(cache.ebx, 22, 10), bits(cache.ebx, 12, 10));
            let (line, sets) = (bits(cache.ebx, 0, 12), cache.ecx as usize);
            (ways + 1) * (partitions + 1) * (line + 1) * (sets + 1)
        };
        caches.map(size).max()
    };
    let is_supported = |leaf: u32| cpuid(leaf & 0x8000_0000, 0).eax >= leaf;
    [4, 0x8000_001d]
        .into_iter()
        .filter(|&leaf| is_supported(leaf))
        .find_map(caches)
}

/// Returns `None`, because Miri does not support `cpuid`.
#[cfg(miri)]
pub(super) fn largest_cache_bytes() -> Option<usize> {
    None
}
