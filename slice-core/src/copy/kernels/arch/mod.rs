//! Kernels for specific processors: a folder per architecture, with a file per instruction set. This module selects the
//! architecture, and the module `processor` detects the set.
//!
//! # Adding an instruction set
//!
//! 1. Add a file for the set: an implementation of [`Vector`](super::vectors::Vector), functions from
//!    `compiled_rows!`, and `kernels`, the table of its kernels ([`VectorKernels`](super::vectors::VectorKernels)). The
//!    algorithms are written once, in [`vectors`](super::vectors).
//! 2. Add the set to `InstructionSet`, with the sets that it includes.
//! 3. Add one line to `ask` of the architecture in `processor`, and one to `kernels` of the architecture here. Masks have
//!    their own kernels, in `bits`.
//!
//! [`prefetch`](super::prefetch) also depends on the processor, but is a separate module because all kernels use it.
//!
//! The tests of `copy` run with every set that the processor has, selected by `GatherPlan::at_most`: `cargo test -p
//! slice-core --lib copy`. `.ci/aarch64 copy` runs the tests on an emulated AArch64. The benchmarks `gather` and
//! `writing` compare each set with the next poorer one. A set that is faster on one family of processors may be slower
//! on another.

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

pub(super) use native::kernels;

/// Compiles [`rows::copy`](super::super::vectors::rows::copy) for an instruction set.
#[allow(unused_macros, reason = "some architectures have no vectors")]
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

#[allow(unused_imports, reason = "some architectures have no vectors")]
use compiled_rows;
