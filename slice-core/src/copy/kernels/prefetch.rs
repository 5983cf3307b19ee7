//! Functions that prefetch memory, on architectures for which Rust has a stable intrinsic.

use super::super::job::Byte;

/// The size of a cache line, in bytes.
pub(super) const CACHE_LINE_BYTES: usize = 64;

/// Prefetches the cache line at `at`, which may be any address, into the first-level cache.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn prefetch(at: *const Byte) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

    // SAFETY: the instruction is part of SSE, which every x86-64 processor supports. Prefetching is allowed at any
    // address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Prefetches the cache line at `at`, which may be any address, into the second-level cache.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn prefetch_to_second_level(at: *const Byte) {
    use core::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};

    // SAFETY: the instruction is part of SSE, which every x86-64 processor supports. Prefetching is allowed at any
    // address.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(at.cast()) };
}

/// Does nothing, because Rust has no stable intrinsic for prefetching on this architecture.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
pub(super) fn prefetch(_: *const Byte) {}

/// Prefetches the `bytes` bytes at `at`, which may be any address.
#[inline(always)]
pub(in crate::copy) fn prefetch_bytes(at: *const Byte, bytes: usize) {
    for line in (0..bytes).step_by(CACHE_LINE_BYTES) {
        prefetch(at.wrapping_add(line));
    }
}
