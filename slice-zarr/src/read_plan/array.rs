//! The description of the array that a plan reads.

use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::element_count;

use super::error::{MAX_RANK, PlanError};
use crate::chunks::check_chunk_shape;

/// The properties of a chunked array on which a [`ReadPlan`](super::ReadPlan) depends.
///
/// Python equivalent: the attributes `shape`, `dtype`, `chunks` and `shards` of a Zarr array.
///
/// # Example
///
/// ```
/// use slice_zarr::ChunkedArray;
///
/// // Shards of 1000 by 1000 elements, each with 100 inner chunks.
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
#[cfg_attr(feature = "serde", derive(serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ChunkedArray {
    /// The address of the array, as the program that opens the array expects it. The address can be empty.
    #[cfg_attr(feature = "serde", serde(default))]
    pub address: String,
    /// The shape of the array.
    pub shape: Vec<usize>,
    /// The name of the data type, followed by its configuration, if any, such as `float32` or `numpy.datetime64[ns]`.
    pub data_type: String,
    /// The size of an element, in bytes.
    pub item_size: usize,
    /// The shape of a chunk (for a sharded array, of a shard). Each chunk is one object in the store.
    pub chunk_shape: Vec<usize>,
    /// The shape of an inner chunk, if the array is sharded. Each of its lengths divides the corresponding length of
    /// `chunk_shape`.
    pub inner_chunk_shape: Option<Vec<usize>>,
    /// The size of the encoded index of a shard, in bytes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub index_bytes: u64,
    /// Whether chunks (for a sharded array, inner chunks) are stored uncompressed, so that elements can be read without
    /// the rest of their chunk.
    #[cfg_attr(feature = "serde", serde(default))]
    pub uncompressed: bool,
    /// An upper bound on the memory, in bytes, needed to read a chunk (for a sharded array, an inner chunk), including
    /// its encoded, intermediate and decoded bytes. The value is 0 if the bound is unknown.
    #[cfg_attr(feature = "serde", serde(default))]
    pub chunk_memory: u64,
}

impl ChunkedArray {
    /// Checks that the shapes are valid, and that they are consistent with each other.
    pub(super) fn check(&self) -> Result<(), PlanError> {
        let rank = self.shape.len();
        if rank > MAX_RANK {
            return Err(PlanError::TooManyAxes { rank });
        }
        element_count(&self.shape)?;
        let inner = self.inner_chunk_shape.as_deref();
        for chunk_shape in [&self.chunk_shape, inner.unwrap_or(&self.chunk_shape)] {
            check_chunk_shape(rank, chunk_shape)?;
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

    /// Returns the shape of a decoding unit: of an inner chunk if the array is sharded, otherwise of a chunk.
    pub(crate) fn decoded_shape(&self) -> &[usize] {
        self.inner_chunk_shape.as_ref().unwrap_or(&self.chunk_shape)
    }

    /// Returns the decoded size of a decoding unit, in bytes.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        let lens = self.decoded_shape().iter().map(|&len| len as u64);
        lens.fold(self.item_size as u64, u64::saturating_mul)
    }
}
