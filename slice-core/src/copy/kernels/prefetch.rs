//! Asking for memory before it is read, where the compiler has a stable way to.

use super::super::job::Byte;

/// Prefetches the cache line of an address, whatever that is.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(super) fn prefetch(at: *const Byte) {
    use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};

    // SAFETY: part of SSE, which is part of SSE2; a prefetch of any address does no harm.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
}

/// Does nothing: prefetches are not stable on this architecture.
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
#[inline(always)]
pub(super) fn prefetch(_: *const Byte) {}
