//! Plans slices without reading them.

use std::sync::Arc;

use slice_core::{Select, Selection};
use zarrs::array::Array;

use crate::array::codecs::Content;
use crate::array::error::Error;
use crate::array::options::AccessOptions;
use crate::array::stored::{StoredArray, type_of};
use crate::chunks::ChunkPlan;
use crate::read_plan::ReadPlan;
use crate::read_plan::array::ChunkedArray;

/// Plans slices of an array without performing any I/O.
pub trait PlanSlice {
    #[doc(hidden)]
    type Storage: ?Sized;

    #[doc(hidden)]
    fn array(&self) -> &Array<Self::Storage>;

    /// Plans the read of a slice.
    ///
    /// The plan is plain data: it can be printed, [split](ReadPlan::split), sent to another machine, and
    /// [run](crate::ReadPlan::run_into) there. The plan does not contain the address of the array unless the address is
    /// [set](ReadPlan::with_address).
    ///
    /// # Errors
    ///
    /// Returns [`Error::Slice`], [`Error::Operation`] or [`Error::Select`] if the slice is invalid or does not fit
    /// the array; [`Error::DataType`], [`Error::Unsupported`] or [`Error::Metadata`] if the array is not supported or
    /// its metadata is invalid; and [`Error::Plan`] if the array or the result has more than 64 axes.
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
    fn plan_slice(&self, spec: impl Select<Error: Into<Error>>) -> Result<ReadPlan, Error> {
        let stored = StoredArray::of(self.array())?;
        let selection = spec.select(&stored.shape).map_err(Into::into)?;
        Ok(ReadPlan::new(stored.description(), selection)?)
    }
}

impl<S: ?Sized> PlanSlice for Array<S> {
    type Storage = S;

    fn array(&self) -> &Array<S> {
        self
    }
}

/// A slice of an array, ready to be read or written.
#[derive(Debug)]
pub(crate) struct PlannedSlice {
    pub(crate) stored: Arc<StoredArray>,
    /// The touched chunks, each with the elements selected from it.
    pub(crate) chunks: ChunkPlan,
}

impl PlannedSlice {
    pub(crate) fn new<S: ?Sized>(
        array: &Array<S>,
        spec: impl Select<Error: Into<Error>>,
        options: &AccessOptions<'_>,
    ) -> Result<Self, Error> {
        let stored = StoredArray::of(array)?;
        let selection = spec.select(&stored.shape).map_err(Into::into)?;
        Self::of_selection(stored, selection, options)
    }

    /// Plans a selection from the array `stored`.
    pub(crate) fn of_selection(
        stored: Arc<StoredArray>,
        selection: Selection,
        options: &AccessOptions<'_>,
    ) -> Result<Self, Error> {
        let (chunk_shape, inner_shape) = (&stored.chunk_shape, &stored.unit_codecs().shape);
        let check = || options.check_cancel();
        let chunks = ChunkPlan::in_units(selection, chunk_shape, inner_shape, &check)?;
        Ok(PlannedSlice { stored, chunks })
    }

    /// Returns the shape of the output.
    pub(crate) fn shape(&self) -> &[usize] {
        self.chunks.selection().output_shape()
    }

    /// Returns the size of the result in bytes.
    pub(crate) fn output_bytes(&self) -> u64 {
        let lengths = self.shape().iter().map(|&len| len as u64);
        lengths.fold(self.stored.item_size as u64, u64::saturating_mul)
    }
}

impl StoredArray {
    /// Returns the description of the array that is stored in plans.
    pub(crate) fn description(&self) -> ChunkedArray {
        let codecs = self.unit_codecs();
        let mut array = ChunkedArray {
            shape: self.shape.clone(),
            data_type: type_of(&self.data_type),
            item_size: self.item_size,
            chunk_shape: self.chunk_shape.clone(),
            chunk_memory: codecs
                .max_encoded_bytes()
                .saturating_add(codecs.max_decoding_bytes()),
            ..ChunkedArray::default()
        };
        match self.content() {
            Content::Raw => array.uncompressed = true,
            Content::Encoded => {}
            Content::Shard(shard) => {
                array.inner_chunk_shape = Some(shard.codecs.shape.clone());
                array.index_bytes = shard.index_bytes;
                array.uncompressed = shard.is_uncompressed();
            }
        }
        array
    }
}
