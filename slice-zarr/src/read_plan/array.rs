//! The description of an array in chunks that a plan needs.

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::element_count;

use super::{MAX_RANK, PlanError};
use crate::chunks::check_chunk;

/// The properties of an array in chunks that a [`ReadPlan`](super::ReadPlan) needs.
///
/// Python equivalent: the attributes `shape`, `dtype`, `chunks` and `shards` of a Zarr array.
///
/// # Example
///
/// ```
/// use slice_zarr::ChunkedArray;
///
/// // Shards of 1000 by 1000, in each of them 100 inner chunks.
/// let array = ChunkedArray {
///     address: "https://example.org/volume.zarr".into(),
///     shape: vec![20_000, 20_000],
///     data_type: "float32".into(),
///     item_size: 4,
///     chunk_shape: vec![1000, 1000],
///     inner_chunk_shape: Some(vec![100, 100]),
///     index_bytes: 16 * 100 + 4,
///     ..ChunkedArray::default()
/// };
/// # drop(array);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ChunkedArray {
    /// The address of the array, a text for the program that opens it. It may be empty.
    pub address: String,
    /// The shape.
    pub shape: Vec<usize>,
    /// The name of the data type, and its configuration if it has one: `float32`, `numpy.datetime64[ns]`.
    pub data_type: String,
    /// The size of an element, in bytes.
    pub item_size: usize,
    /// The shape of a chunk, or of a shard of a sharded array, which is one object of the store.
    pub chunk_shape: Vec<usize>,
    /// The shape of the chunks inside a shard, if the array is sharded. It divides the shape of the shard.
    pub inner_chunk_shape: Option<Vec<usize>>,
    /// The size of a shard's index, in bytes.
    pub index_bytes: u64,
    /// Whether elements can be read without the rest of their chunk.
    pub uncompressed: bool,
    /// A bound on the memory, in bytes, for reading a chunk or an inner chunk of a shard, with its encoded,
    /// intermediate and decoded bytes; 0 if unknown.
    pub chunk_memory: u64,
}

impl ChunkedArray {
    /// Checks that the shapes fit each other.
    pub(super) fn check(&self) -> Result<(), PlanError> {
        let rank = self.shape.len();
        if rank > MAX_RANK {
            return Err(PlanError::TooManyAxes { rank });
        }
        element_count(&self.shape)?;
        let inner = self.inner_chunk_shape.as_deref();
        for chunk_shape in [&self.chunk_shape, inner.unwrap_or(&self.chunk_shape)] {
            check_chunk(rank, chunk_shape)?;
        }
        let mut axes = self.chunk_shape.iter().zip(inner.unwrap_or_default());
        if let Some(axis) = axes.position(|(chunk, inner)| chunk % inner != 0) {
            return Err(PlanError::InnerChunks {
                axis,
                chunk: self.chunk_shape[axis],
                inner: inner.unwrap_or_default()[axis],
            });
        }
        Ok(())
    }

    /// Returns the shape of a unit of decoding: an inner chunk of a shard, or else a chunk.
    pub(super) fn decoded_shape(&self) -> &[usize] {
        self.inner_chunk_shape.as_ref().unwrap_or(&self.chunk_shape)
    }

    /// Returns the decoded size of a unit of decoding, in bytes.
    pub(super) fn decoded_bytes(&self) -> u64 {
        let lens = self.decoded_shape().iter().map(|&len| len as u64);
        lens.fold(self.item_size as u64, u64::saturating_mul)
    }
}
