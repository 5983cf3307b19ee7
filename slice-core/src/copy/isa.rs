//! Which instructions a gather may use.
//!
//! Detection is `std::arch`'s own `is_x86_feature_detected!`. The crates that wrap it (`multiversion`, `pulp`) were
//! tried: both reach the same speed on plain loops, but the byte shuffles below need named instructions anyway, there
//! are only three functions to dispatch, and a plan can carry the answer with it, so a wrapper would only cost
//! build time. Without `std` the answer is what the compilation target guarantees.

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

/// The instruction sets that the copying engine distinguishes, poorest first.
///
/// [`Baseline`](Self::Baseline) is what the compiler makes of the portable loops for the compilation target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum InstructionSet {
    /// No byte shuffles.
    Baseline = 1,
    /// Byte shuffles of 128-bit vectors on AArch64.
    Neon = 2,
    /// Byte shuffles of 128-bit vectors on x86-64.
    Ssse3 = 3,
    /// Byte shuffles of 256-bit vectors.
    Avx2 = 4,
    /// Byte permutes of 512-bit vectors (F, BW, VL and VBMI).
    Avx512 = 5,
}

impl InstructionSet {
    /// The same set, where the compiler knows that no processor is asked and which sets there are without: it then leaves
    /// out the kernels for all others.
    #[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
    #[inline(always)]
    pub(super) const fn known(self) -> Self {
        let vectors = cfg!(any(target_feature = "ssse3", target_arch = "aarch64"));
        if vectors || cfg!(feature = "std") {
            self
        } else {
            Self::Baseline
        }
    }

    /// The richest set that the running processor has.
    #[inline]
    pub fn detect() -> Self {
        /// 0 = not asked yet, otherwise the discriminant.
        static FOUND: AtomicU8 = AtomicU8::new(0);
        match FOUND.load(Ordering::Relaxed) {
            1 => Self::Baseline,
            2 => Self::Neon,
            3 => Self::Ssse3,
            4 => Self::Avx2,
            5 => Self::Avx512,
            _ => {
                let found = Self::ask();
                FOUND.store(found as u8, Ordering::Relaxed);
                found
            }
        }
    }

    #[cold]
    fn ask() -> Self {
        #[cfg(all(target_arch = "x86_64", feature = "std"))]
        macro_rules! has {
            ($($feature:tt),*) => { $(std::arch::is_x86_feature_detected!($feature))&&* };
        }
        #[cfg(all(target_arch = "x86_64", not(feature = "std")))]
        macro_rules! has {
            ($($feature:tt),*) => { $(cfg!(target_feature = $feature))&&* };
        }
        #[cfg(target_arch = "x86_64")]
        if has!(
            "avx512f",
            "avx512bw",
            "avx512vl",
            "avx512vbmi",
            "avx2",
            "bmi2"
        ) {
            return Self::Avx512;
        } else if has!("avx2", "bmi2") {
            return Self::Avx2;
        } else if has!("ssse3") {
            return Self::Ssse3;
        }
        match cfg!(all(target_arch = "aarch64", target_feature = "neon")) {
            true => Self::Neon,
            false => Self::Baseline,
        }
    }
}

/// The bytes of the largest cache, as the processor says; an ordinary size where it does not.
#[inline]
pub(super) fn last_level_cache() -> usize {
    /// 0 = not asked yet.
    static FOUND: AtomicUsize = AtomicUsize::new(0);
    match FOUND.load(Ordering::Relaxed) {
        0 => {
            let found = ask_for_caches().filter(|&size| size >= 1 << 20);
            let found = found.unwrap_or(32 << 20);
            FOUND.store(found, Ordering::Relaxed);
            found
        }
        found => found,
    }
}

/// The largest cache that `cpuid` lists: in leaf 4 for Intel, and in the same form in leaf 0x8000001D for AMD.
#[cold]
fn ask_for_caches() -> Option<usize> {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        use core::arch::x86_64::__cpuid_count;
        // Since Rust 1.93 or so it is safe.
        #[allow(unsafe_code, unused_unsafe)]
        // SAFETY: every x86-64 processor has the instruction.
        let ask = |leaf: u32, part: u32| unsafe { __cpuid_count(leaf, part) };
        let bits =
            |word: u32, first: u32, count: u32| (word >> first & ((1 << count) - 1)) as usize;
        let caches = |leaf: u32| {
            let parts = (0..16).map(move |part| ask(leaf, part));
            let caches = parts.take_while(move |cache| bits(cache.eax, 0, 5) != 0);
            let size = move |cache: core::arch::x86_64::CpuidResult| {
                let (ways, partitions) = (bits(cache.ebx, 22, 10), bits(cache.ebx, 12, 10));
                let (line, sets) = (bits(cache.ebx, 0, 12), cache.ecx as usize);
                (ways + 1) * (partitions + 1) * (line + 1) * (sets + 1)
            };
            caches.map(size).max()
        };
        let has = |leaf: u32| ask(leaf & 0x8000_0000, 0).eax >= leaf;
        [4, 0x8000_001d]
            .into_iter()
            .filter(|&leaf| has(leaf))
            .find_map(caches)
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    None
}
