//! Statistics of a read.

/// The statistics of a read.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, ReadSlice, WriteSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// array.write_slice(s![0], &ndarray::arr0(1_u8))?; // stores three chunks
/// let (_, stats) = array.read_slice_with::<u8>(s![:, 0], &AccessOptions::new())?;
/// assert_eq!((stats.chunks, stats.requests), (1, 2)); // one of the two chunks is missing
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
