//! Kernels for specific processors, with a folder for each architecture and a file for each instruction set. This
//! module selects the architecture, and the module `processor` detects the instruction set.
//!
//! # Adding an instruction set
//!
//! 1. Add a file for the set. It contains an implementation of [`Vector`](super::vectors::vector::Vector), the
//!    functions that `compiled_rows!` generates, and the function `kernels`, which returns the
//!    [`VectorKernels`](super::vectors::VectorKernels) of the set. The algorithms are written once, in
//!    [`vectors`](super::vectors).
//! 2. Add the set to `InstructionSet`, and the sets that it includes to `InstructionSet::includes`.
//! 3. In the files of the architecture, add one line to the function `detect_now` in `processor`, and one to the
//!    function `kernels` here. Masks have their own kernels, in `bits`.
//!
//! [`prefetch`](super::prefetch) also depends on the processor, but is a separate module, because several kernels use
//! it.
//!
//! The tests of `copy` (`cargo test -p slice-core --lib copy`) run with every set that the processor supports. They
//! select the set with `CopyPlan::at_most`. `cargo xtask check aarch64` runs the tests on an emulated AArch64
//! processor. The benchmarks `gather` and `writing` compare all sets that the processor supports. A set that is faster
//! than another on one family of processors may be slower on a different family.

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

/// Defines the function `compiled_rows`: `vectors::rows::copy`, compiled for an instruction set.
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
            // SAFETY: the function is compiled with the features of the vector type, and the caller upholds the
            // requirements of `rows::copy`.
            unsafe { rows::copy::<D, $vector, LOADS>(lanes, streams, cursor, buffers) }
        }
    };
}

#[allow(unused_imports, reason = "some architectures have no vectors")]
use compiled_rows;
