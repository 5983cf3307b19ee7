//! Sizes at which copies switch to a different method, and distances at which they prefetch, determined by measuring
//! copies with other values. `docs/performance.md` lists the results. Other sizes are beside the code that uses them.

#![allow(
    dead_code,
    reason = "the kernels for some architectures do not use all constants"
)]

/// The minimum length, in bytes, of a run that is copied by `memcpy`, whose string instructions are fast for long runs.
/// On Zen 5, `memcpy` takes 0.7 to 0.9 times as long as a loop over vectors if the data is in the second-level cache,
/// and 0.8 to 1.0 times as long if the data is in the last-level cache.
pub(super) const MIN_STRING_COPY_BYTES: usize = 4 << 10;

/// The prefetch distance for runs, in bytes. On Zen 5, copies of streamed rows of 1 to 64 KiB take 0.5 to 0.8 times as
/// long with this distance as without prefetching. With a distance of 2 KiB, they take 0.6 to 0.9 times as long as
/// without prefetching.
pub(super) const RUN_PREFETCH_DISTANCE_BYTES: usize = 8 << 10;

/// The prefetch distance for shuffles, in bytes. Streaming stores in flight seem to prevent the processor from
/// prefetching by itself. On Zen 5, copies without prefetching take up to 1.4 times as long with 512-bit vectors as
/// with 256-bit vectors.
pub(super) const SHUFFLE_PREFETCH_DISTANCE_BYTES: usize = 2048;

/// The minimum size, in eighths of the last-level cache, of an output whose writes bypass the caches.
pub(super) const MIN_STREAMED_EIGHTHS: usize = 4;

/// The minimum size, in bytes, of memory for which huge pages are requested. NumPy uses the same minimum.
pub(super) const MIN_HUGE_PAGE_REQUEST_BYTES: usize = 4 << 20;
