//! What a slice would read, without reading.

use std::fmt;
use std::sync::Arc;

use slice_core::{ChunkPlan, Selection};
use zarrs::array::Array;

use crate::stored::{Inside, Stored};
use crate::{Error, ReadOptions, Select};

/// Planning slices of an array, without any input or output.
pub trait PlanSlice {
    /// What a slice would read.
    ///
    /// # Errors
    ///
    /// [`Error::Slice`] or [`Error::Text`] for what is wrong with the slice, [`Error::DataType`],
    /// [`Error::Unsupported`] and [`Error::Metadata`] for the array.
    fn plan_slice(&self, spec: impl Select) -> Result<ReadPlan, Error>;
}

impl<S: ?Sized> PlanSlice for Array<S> {
    fn plan_slice(&self, spec: impl Select) -> Result<ReadPlan, Error> {
        ReadPlan::new(Stored::new(self)?, |shape| spec.select(shape))
    }
}

/// What a slice of an array reads: which chunks, in how many requests, how many bytes at most.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::PlanSlice;
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![100, 100], vec![10, 10], data_type::uint16(), 0_u16).build(store, "/")?;
///
/// let plan = array.plan_slice(s![::30, -1])?;
/// assert_eq!(plan.shape(), [4]);
/// assert_eq!((plan.touched_chunks(), plan.all_chunks()), (4, 100));
/// println!("{plan}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a plan reads nothing"]
pub struct ReadPlan {
    stored: Arc<Stored>,
    chunks: ChunkPlan,
    inner_chunks: usize,
}

impl ReadPlan {
    pub(crate) fn new(
        stored: Stored,
        select: impl FnOnce(&[usize]) -> Result<Selection, Error>,
    ) -> Result<Self, Error> {
        let selection = select(&stored.shape)?;
        let chunks = selection.chunks(&stored.chunk_shape)?;
        let (decoded, _) = stored.decoded();
        let inner_chunks = selection.chunks(decoded)?.len();
        Ok(ReadPlan {
            stored: Arc::new(stored),
            chunks,
            inner_chunks,
        })
    }

    pub(crate) fn stored(&self) -> &Stored {
        &self.stored
    }

    /// The chunks that are touched, and what is taken of each.
    pub fn chunks(&self) -> &ChunkPlan {
        &self.chunks
    }

    /// The shape of the result.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        self.chunks.selection().output_shape()
    }

    /// The number of chunks (of a sharded array: shards) that hold selected elements.
    #[must_use]
    pub fn touched_chunks(&self) -> usize {
        self.chunks.len()
    }

    /// The number of chunks (of a sharded array: shards) of the array.
    #[must_use]
    pub fn all_chunks(&self) -> u128 {
        self.chunks.grid_shape().map(|len| len as u128).product()
    }

    /// The number of chunks that are decoded if none is missing: of a sharded array, its inner chunks.
    #[must_use]
    pub fn inner_chunks(&self) -> usize {
        self.inner_chunks
    }

    /// The bytes of the result.
    #[must_use]
    pub fn output_bytes(&self) -> u64 {
        (self.chunks.selection().len() as u64).saturating_mul(self.stored.item_size as u64)
    }

    /// The most bytes that are asked for, indices of shards included, as if compression saved nothing.
    #[must_use]
    pub fn max_bytes(&self) -> u64 {
        let decoded = (self.inner_chunks as u64).saturating_mul(self.stored.decoded_bytes());
        match &self.stored.inside {
            Inside::Shard(shard) => {
                let indices = shard.index_bytes.saturating_mul(self.chunks.len() as u64);
                decoded.saturating_add(indices)
            }
            _ => decoded,
        }
    }

    /// The number of requests if none of the ranges that are wanted of an object lie far apart: one for each chunk, two
    /// for each shard.
    #[must_use]
    pub fn requests(&self) -> usize {
        match self.stored.inside {
            Inside::Shard(_) => self.chunks.len().saturating_mul(2),
            _ => self.chunks.len(),
        }
    }

    /// The most bytes held at once with these options: the output, and for each worker a chunk encoded and decoded.
    #[must_use]
    pub fn peak_bytes(&self, options: &ReadOptions<'_>) -> u64 {
        let decoded = self.stored.decoded_bytes();
        // What does not compress grows by the headers of the codecs.
        let encoded = decoded.saturating_add(decoded / 16).saturating_add(1024);
        let encoded = match self.stored.inside {
            Inside::Shard(ref shard) => {
                let all = shard
                    .grid
                    .iter()
                    .fold(encoded, |sum, &len| sum.saturating_mul(len as u64));
                encoded.max(options.batch.min(all))
            }
            _ => encoded,
        };
        let each = decoded.saturating_add(encoded);
        let workers = (options.workers as u64).min(self.inner_chunks as u64);
        self.output_bytes()
            .saturating_add(each.saturating_mul(workers))
    }
}

impl fmt::Display for ReadPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stored = &self.stored;
        let name = crate::stored::name_of(&stored.data_type);
        writeln!(
            f,
            "array   {:?} of {name} in chunks {:?}",
            stored.shape, stored.chunk_shape
        )?;
        if let Inside::Shard(shard) = &stored.inside {
            writeln!(
                f,
                "        each a shard of inner chunks {:?}",
                shard.chunk_shape
            )?;
        }
        writeln!(
            f,
            "result  {:?}, {} bytes",
            self.shape(),
            self.output_bytes()
        )?;
        writeln!(
            f,
            "chunks  {} of {}",
            self.touched_chunks(),
            self.all_chunks()
        )?;
        if let Inside::Shard(_) = stored.inside {
            writeln!(f, "        {} inner chunks", self.inner_chunks)?;
        }
        writeln!(
            f,
            "reads   at most {} bytes in {} requests or more",
            self.max_bytes(),
            self.requests()
        )?;
        write!(
            f,
            "memory  {} bytes at most",
            self.peak_bytes(&ReadOptions::new())
        )
    }
}
