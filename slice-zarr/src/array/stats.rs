//! Statistics of a read.

/// The statistics of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Chunks that were decoded; for a shard, its inner chunks. Missing chunks do not count.
    pub chunks: usize,
    /// Ranges and objects that were requested from the store, missing ones included.
    pub requests: usize,
    /// Bytes that the store returned.
    pub bytes: u64,
    /// The most bytes that were held at once: the output, and chunks encoded and decoded.
    pub peak_bytes: u64,
}
