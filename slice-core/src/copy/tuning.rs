//! The sizes at which copies switch to a different method, and the distances at which they prefetch. All of them have
//! been determined by measurement. The benchmark `benches/constants.rs`, which needs the feature `__tuning`, compares
//! each of them with other values on the current processor. `docs/performance.md` lists the results.

#![allow(
    dead_code,
    reason = "the kernels for some architectures do not use all constants"
)]

#[cfg(feature = "__tuning")]
use core::sync::atomic::{AtomicUsize, Ordering};

/// A size or distance determined by measurement. It is constant, unless the feature `__tuning` lets a benchmark change
/// it.
pub struct Tuned {
    #[cfg(not(feature = "__tuning"))]
    value: usize,
    #[cfg(feature = "__tuning")]
    value: AtomicUsize,
}

impl Tuned {
    const fn new(value: usize) -> Self {
        #[cfg(feature = "__tuning")]
        let value = AtomicUsize::new(value);
        Self { value }
    }

    /// Returns the value.
    #[inline(always)]
    #[must_use]
    pub fn get(&self) -> usize {
        #[cfg(feature = "__tuning")]
        let value = self.value.load(Ordering::Relaxed);
        #[cfg(not(feature = "__tuning"))]
        let value = self.value;
        value
    }

    /// Changes the value for all copies that begin after this call.
    #[cfg(feature = "__tuning")]
    pub fn set(&self, value: usize) {
        self.value.store(value, Ordering::Relaxed);
    }
}

/// The minimum length, in bytes, of a run that is copied by `memcpy`, whose string instructions are fast for long runs.
/// On Zen 5, `memcpy` takes 0.7 to 0.9 times as long as a loop over vectors if the data is in the second-level cache,
/// and 0.8 to 1.0 times as long if the data is in the last-level cache.
pub static MIN_STRING_COPY_BYTES: Tuned = Tuned::new(4 << 10);

/// The prefetch distance for runs, in bytes. On Zen 5, copies of streamed rows of 1 to 64 KiB take 0.5 to 0.8 times as
/// long with this distance as without prefetching. With a distance of 2 KiB, they take 0.6 to 0.9 times as long as
/// without prefetching.
pub static RUN_PREFETCH_DISTANCE_BYTES: Tuned = Tuned::new(8 << 10);

/// The prefetch distance for shuffles, in bytes. Streaming stores in flight seem to prevent the processor from
/// prefetching by itself. On Zen 5, copies without prefetching take up to 1.4 times as long with 512-bit vectors as
/// with 256-bit vectors.
pub static SHUFFLE_PREFETCH_DISTANCE_BYTES: Tuned = Tuned::new(2048);

/// The minimum size, in eighths of the last-level cache, of an output whose writes bypass the caches.
pub static MIN_STREAMED_EIGHTHS: Tuned = Tuned::new(4);

/// The minimum size, in bytes, of memory for which huge pages are requested. NumPy uses the same minimum.
pub static MIN_HUGE_PAGE_REQUEST_BYTES: Tuned = Tuned::new(4 << 20);
