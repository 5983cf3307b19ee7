//! The sizes at which copies switch to another method. All sizes were measured. `benches/constants.rs` measures them
//! again on another processor, with the feature `__tuning`. The tables are in docs/performance.md.

#![allow(dead_code, reason = "kernels of some processors read fewer sizes")]

#[cfg(feature = "__tuning")]
use core::sync::atomic::{AtomicUsize, Ordering};

/// A measured size. It is a constant, unless the feature `__tuning` lets a benchmark change it.
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

    /// Returns the size.
    #[inline(always)]
    #[must_use]
    pub fn get(&self) -> usize {
        #[cfg(feature = "__tuning")]
        let value = self.value.load(Ordering::Relaxed);
        #[cfg(not(feature = "__tuning"))]
        let value = self.value;
        value
    }

    /// Changes the size, for all copies that begin later.
    #[cfg(feature = "__tuning")]
    pub fn set(&self, value: usize) {
        self.value.store(value, Ordering::Relaxed);
    }
}

/// The minimum length of a run that is left to `memcpy`, in bytes. Measured on Zen 5: `memcpy` takes 0.7 to 0.9 of the
/// time of vectors in the second-level cache, and 0.8 to 1.0 in the last-level cache.
pub static MIN_STRING_COPY_BYTES: Tuned = Tuned::new(4 << 10);

/// The prefetch distance of runs, in bytes. Measured on Zen 5: streamed rows of 1 to 64 KiB take 0.5 to 0.8 of the
/// time that they take without prefetching. With a distance of 2 KiB, they take 0.6 to 0.9 of that time.
pub static RUN_PREFETCH_DISTANCE_BYTES: Tuned = Tuned::new(8 << 10);

/// The prefetch distance of shuffles, in bytes. Streaming stores in flight seem to keep the processor from prefetching
/// by itself. Measured on Zen 5: without prefetching, 512-bit vectors take up to 1.4 times as long as 256-bit vectors.
pub static SHUFFLE_PREFETCH_DISTANCE_BYTES: Tuned = Tuned::new(2048);

/// The minimum size of an output that is written past the caches, in eighths of the last-level cache.
pub static MIN_STREAMED_EIGHTHS: Tuned = Tuned::new(4);

/// The minimum size of memory for which huge pages are requested, in bytes. This is also NumPy's threshold.
pub static MIN_HUGE_PAGE_REQUEST_BYTES: Tuned = Tuned::new(4 << 20);
