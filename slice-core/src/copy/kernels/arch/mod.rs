//! Kernels for processors, with a folder per architecture and a file per instruction set. This module selects the
//! architecture.
//!
//! # Another instruction set
//!
//! 1. Add a file for the set: an implementation of [`Vector`](super::vectors::Vector), functions made by
//!    `compiled_rows!`, and `kernels`, the table of its kernels ([`VectorKernels`](super::vectors::VectorKernels)). The
//!    algorithms are written once, in [`vectors`](super::vectors).
//! 2. Add it to [`InstructionSet`], with the sets that it includes.
//! 3. Add one line to `detect` and one to `kernels` of the architecture.
//!
//! [`prefetch`](super::prefetch) also depends on the processor, but is a separate module because all kernels use it.
//!
//! The tests of `copy` run every set of the processor, each limited by `GatherPlan::at_most`: `cargo test -p slice-core
//! --lib copy`. `.ci/aarch64 copy` runs the tests on an emulated AArch64. The benchmarks `gather` and `writing` compare
//! each set with the next poorer one. A set that is faster on one family of processors may be slower on the next.

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

/// Compiles [`rows::copy`](super::super::vectors::rows::copy) for an instruction set.
#[allow(unused_macros, reason = "not every architecture has vectors")]
macro_rules! compiled_rows {
    ($vector:ty, $features:literal) => {
        /// # Safety
        ///
        /// * See [`rows::copy`].
        #[target_feature(enable = $features)]
        unsafe fn compiled_rows<D: Direction, const LOADS: usize>(
            lanes: &Lanes,
            streams: bool,
            cursor: &mut BlockCursor<'_>,
            buffers: Buffers,
        ) {
            // SAFETY: the function has the features of the vector. The caller guarantees the rest.
            unsafe { rows::copy::<D, $vector, LOADS>(lanes, streams, cursor, buffers) }
        }
    };
}

#[allow(unused_imports, reason = "not every architecture has vectors")]
use compiled_rows;

/// Returns the richest set of the running processor within a limit.
#[inline(always)]
pub(super) fn detect(limit: Option<InstructionSet>) -> InstructionSet {
    let found = native::detect();
    match limit {
        None => found,
        Some(limit) => found.limited_to(limit),
    }
}

/// Returns the result of `ask`, which is remembered after the first call.
#[allow(dead_code, reason = "not every architecture asks")]
#[inline(always)]
fn remembered(ask: fn() -> InstructionSet) -> InstructionSet {
    /// 0 before the first call of `ask`, and then the discriminant of the set.
    static FOUND: AtomicU8 = AtomicU8::new(0);
    InstructionSet::from_discriminant(FOUND.load(Ordering::Relaxed)).unwrap_or_else(|| {
        let found = ask();
        FOUND.store(found as u8, Ordering::Relaxed);
        found
    })
}

/// Returns the size of the largest cache in bytes, or a common size if the processor does not report it.
#[inline]
pub(super) fn last_level_cache() -> usize {
    /// 0 until the size is known.
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
