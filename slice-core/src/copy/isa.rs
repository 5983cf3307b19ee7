//! Which instructions a gather may use.
//!
//! Detection is `std::arch`'s own `is_x86_feature_detected!`. The crates that wrap it (`multiversion`, `pulp`) were
//! tried: both reach the same speed on plain loops, but the byte shuffles below need named instructions anyway, there
//! are only three functions to dispatch, and a plan can carry the answer with it, so a wrapper would cost build time
//! and buy nothing. Without `std` the answer is what the compilation target guarantees.

use core::sync::atomic::{AtomicU8, Ordering};

/// The instruction sets that the copying engine distinguishes, poorest first.
///
/// On targets other than x86-64 everything is [`Baseline`](Self::Baseline), which there means what the compiler makes
/// of the portable loops (NEON on aarch64, where it is part of the baseline).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum InstructionSet {
    /// What the compilation target guarantees.
    Baseline = 1,
    /// 128-bit byte shuffles.
    Ssse3 = 2,
    /// 256-bit integer vectors.
    Avx2 = 3,
    /// 512-bit vectors with byte permutes (F, BW, VL and VBMI).
    Avx512 = 4,
}

impl InstructionSet {
    /// The richest set that the running processor has.
    #[inline]
    pub fn detect() -> Self {
        /// 0 = not asked yet, otherwise the discriminant.
        static FOUND: AtomicU8 = AtomicU8::new(0);
        match FOUND.load(Ordering::Relaxed) {
            1 => Self::Baseline,
            2 => Self::Ssse3,
            3 => Self::Avx2,
            4 => Self::Avx512,
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
        Self::Baseline
    }
}
