//! Processors: a folder for each architecture, a file for each instruction set, and here which of them is compiled.
//!
//! # Another instruction set
//!
//! 1. A file beside the others of its architecture: an implementation of [`Vector`](super::vectors::Vector), its functions by
//!    `compiled_rows!`, and `kernels`, the table of what it has ([`VectorKernels`](super::vectors::VectorKernels)). The
//!    algorithms are written once, in [`vectors`](super::vectors).
//! 2. Its name in [`InstructionSet`], and what it includes there.
//! 3. In `detect` and `kernels` of the architecture, a line each.
//!
//! Of what one processor has, only [`prefetch`](super::prefetch) is elsewhere, because the kernels of all use it.
//!
//! The tests of `copy` run every set that the processor has, each limited by `GatherPlan::at_most`: `cargo test -p
//! slice-core --lib copy`. On an emulated AArch64: `.ci/aarch64 copy`. The benchmarks `gather` and `writing` print each set
//! beside the next poorer one. A set that is faster on one family of processors may be slower on the next.

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[path = "aarch64/mod.rs"]
mod native;
#[cfg(not(any(
    all(target_arch = "aarch64", target_feature = "neon"),
    all(target_arch = "x86_64", target_feature = "sse2")
)))]
#[path = "other.rs"]
mod native;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[path = "x86_64/mod.rs"]
mod native;

use core::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use super::super::isa::InstructionSet;
pub(super) use native::kernels;

/// [`rows::copy`](super::super::vectors::rows::copy), compiled for an instruction set.
#[allow(unused_macros, reason = "not every architecture has vectors")]
macro_rules! compiled_rows {
    ($vector:ty, $features:literal) => {
        /// # Safety
        ///
        /// * As [`rows::copy`].
        #[target_feature(enable = $features)]
        unsafe fn compiled_rows<D: Direction, const LOADS: usize>(
            lanes: &Lanes,
            streams: bool,
            cursor: &mut BlockCursor<'_>,
            buffers: Buffers,
        ) {
            // SAFETY: the function has the features of the vector; the rest is what the caller vouches for.
            unsafe { rows::copy::<D, $vector, LOADS>(lanes, streams, cursor, buffers) }
        }
    };
}

#[allow(unused_imports, reason = "not every architecture has vectors")]
use compiled_rows;

/// Returns the richest set that the running processor has, and that is within a limit.
#[inline(always)]
pub(super) fn detect(limit: Option<InstructionSet>) -> InstructionSet {
    let found = native::detect();
    match limit {
        None => found,
        Some(limit) => found.limited_to(limit),
    }
}

/// Returns what `ask` returned when it was called first.
#[allow(dead_code, reason = "not every architecture asks")]
#[inline(always)]
fn remembered(ask: fn() -> InstructionSet) -> InstructionSet {
    /// 0 = not asked yet, otherwise the discriminant.
    static FOUND: AtomicU8 = AtomicU8::new(0);
    InstructionSet::from_discriminant(FOUND.load(Ordering::Relaxed)).unwrap_or_else(|| {
        let found = ask();
        FOUND.store(found as u8, Ordering::Relaxed);
        found
    })
}

/// Returns the bytes of the largest cache, as the processor says; an ordinary size where it does not.
#[inline]
pub(super) fn last_level_cache() -> usize {
    /// 0 = not asked yet.
    static FOUND: AtomicUsize = AtomicUsize::new(0);
    match FOUND.load(Ordering::Relaxed) {
        0 => {
            let found = native::largest_cache().filter(|&size| size >= 1 << 20);
            let found = found.unwrap_or(32 << 20);
            FOUND.store(found, Ordering::Relaxed);
            found
        }
        found => found,
    }
}
