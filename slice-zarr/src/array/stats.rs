//! Statistics of a read.

/// The statistics of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// The number of decoded chunks (for a sharded array, of decoded inner chunks). Missing chunks are not counted.
    pub chunks: usize,
    /// The number of ranges and objects requested from the store, including missing objects. Requests for the size of
    /// an object are not counted.
    pub requests: usize,
    /// The number of bytes that the store returned.
    pub bytes: u64,
    /// The largest number of bytes held in memory at any time. This includes the output, lists, shard indices, and
    /// chunks both encoded and decoded. If the slice has lists, it also includes 64 KiB for each worker, which is a bound
    /// on the memory in which a worker prepares copies.
    pub peak_bytes: u64,
}
