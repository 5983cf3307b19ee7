//! Writes slices. Only the touched chunks are written, and chunks that are overwritten as a whole are not read.

mod shard;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use ndarray::{ArrayRef, ArrayViewD, ArrayViewMut, Axis, CowArray, Dimension, IxDyn};
use slice_core::resolve::check_shape;
use slice_core::{Select, StridedSliceExt};
use zarrs::array::Array;
use zarrs::storage::{ReadableWritableStorageTraits, WritableStorage, WritableStorageTraits};

use crate::array::codecs::Content;
use crate::array::codecs::bounded::repeat_values;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::{Element, OwnedElements, Unit, as_units};
use crate::array::error::{ChunkError, Error};
use crate::array::options::AccessOptions;
use crate::array::plan::{PlanSlice, PlannedSlice};
use crate::array::read::piece::with_last_axis;
use crate::array::read::reader::{Reader, StoredChunk};
use crate::array::read::{check_element, raw_shape};
use crate::array::storage::wanted::Wanted;
use crate::array::workers::{JobQueue, run_jobs};
use crate::array::write::shard::ShardToWrite;
use crate::chunks::part::ChunkPart;
use crate::chunks::parts::ChunkParts;

/// Writes to slices of an array.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayD, arr1};
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, ReadSlice, WriteSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![3, 4], data_type::int16(), 0_i16).build(store, "/")?;
///
/// array.write_slice(s![1:3, ::-2], &arr1(&[1_i16, 2, 3]))?;
/// let row: ArrayD<i16> = array.read_slice(s![2])?;
/// assert_eq!(row, arr1(&[0, 3, 0, 2, 0, 1]).into_dyn());
///
/// // A value is broadcast.
/// array.write_slice_with(s![..., 0], &ndarray::arr0(9_i16), &AccessOptions::new().workers(2))?;
/// assert_eq!(array.read_slice::<i16>(s![3, 0])?, ndarray::arr0(9).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WriteSlice: PlanSlice<Storage: ReadableWritableStorageTraits + 'static> {
    /// Writes values to the slice. The values are broadcast as in NumPy.
    ///
    /// Python equivalent: `z[spec] = values`.
    ///
    /// Each touched chunk is read, changed and written. If all array elements in a chunk are overwritten, the chunk is
    /// written without being read. In a shard, the inner chunks that the slice does not touch are copied without being
    /// decoded. If two writes change the same chunk at the same time, one may undo the other.
    ///
    /// A write to several chunks is not atomic. Whether a single chunk is replaced atomically depends on the store:
    /// object stores replace chunks atomically, and so does zarrs' [`AtomicWriteStorageAdapter`] for files. Without this
    /// adapter, a file store overwrites the chunk in place: if the disk is full, the write returns an error, and the old
    /// elements of the chunk are lost. If the disk is full, or if the process is killed, while the adapter writes a chunk,
    /// the chunk keeps its old elements, but an object whose key ends in `.tmp` remains. The adapter
    /// then returns an error for each write to that chunk ("temporary key c/0/0.tmp already exists"), because another
    /// process may be writing the chunk. Erase the object when no process is writing to the array.
    ///
    /// [`AtomicWriteStorageAdapter`]: zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter
    ///
    /// # Errors
    ///
    /// Returns [`Error::Slice`] if the slice does not fit the array, or if the values do not broadcast to the slice. In that
    /// case, nothing is written. After any other [`Error`], some chunks may have been written.
    fn write_slice<T: Element, D: Dimension>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        values: &ArrayRef<T, D>,
    ) -> Result<(), Error> {
        self.write_slice_with(spec, values, &AccessOptions::new())
    }

    /// Writes values to the slice with `options`. A write uses only `workers`, `max_chunk`, `progress`, `cancel` and
    /// `deadline`. The other options apply only to reads.
    ///
    /// # Errors
    /// Returns the same errors as [`write_slice`](Self::write_slice).
    fn write_slice_with<T: Element, D: Dimension>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        values: &ArrayRef<T, D>,
        options: &AccessOptions<'_>,
    ) -> Result<(), Error> {
        let array = self.array();
        let plan = PlannedSlice::new(array, spec, options)?;
        check_element::<T>(array.data_type())?;
        plan.chunks.selection().check_broadcast(values.shape())?;
        let mut values = values.view().into_dyn();
        while values.ndim() > plan.shape().len() {
            values = values.index_axis_move(Axis(0), 0);
        }
        let values = values.broadcast(IxDyn(plan.shape()));
        let values = values.expect("the values should broadcast to the slice");
        write(array, &plan, &values, options)
    }

    /// Writes elements of any fixed-size data type to the slice, as integers. The values are not broadcast. If an element
    /// is larger than the integer type, the values have an additional last axis for the integers of each element.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`write_slice`](Self::write_slice), and [`Error::Element`] if the size of an
    /// element is not a multiple of the size of `T`.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, ReadSlice, WriteSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![4], vec![3], data_type::float32(), 0.0_f32).build(store, "/")?;
    ///
    /// let values = ndarray::arr1(&[1.0_f32.to_bits(), 2.0_f32.to_bits()]);
    /// array.write_slice_raw(s![::-2], &values, &AccessOptions::new())?;
    /// let out = array.read_slice::<f32>(s![1::2])?;
    /// assert_eq!(out, ndarray::arr1(&[2.0, 1.0]).into_dyn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn write_slice_raw<T: Element, D: Dimension>(
        &self,
        spec: impl Select<Error: Into<Error>>,
        values: &ArrayRef<T, D>,
        options: &AccessOptions<'_>,
    ) -> Result<(), Error> {
        let array = self.array();
        let plan = PlannedSlice::new(array, spec, options)?;
        let shape = raw_shape::<T>(array.data_type(), plan.shape(), plan.stored.item_size)?;
        check_shape(&shape, values.shape())?;
        write(array, &plan, &values.view().into_dyn(), options)
    }
}

impl<S: ?Sized + ReadableWritableStorageTraits + 'static> WriteSlice for Array<S> {}

/// Writes `values`, which have the shape of the slice. If an element is written as several integers (*units*), the
/// values have an additional last axis for them.
pub(crate) fn write<U: Unit, S: ?Sized + ReadableWritableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &PlannedSlice,
    values: &ArrayViewD<'_, U>,
    options: &AccessOptions<'_>,
) -> Result<(), Error> {
    let stored = &*plan.stored;
    options.check_chunk(plan.chunks.len(), stored.codecs.decoded_bytes())?;
    let transformers = array.storage_transformers();
    let writable = transformers.create_writable_transformer(Arc::new(array.storage()));
    let rank = plan.shape().len();
    let writer = Writer {
        reader: Reader::new(array, stored, options)?,
        writable: writable.map_err(|error| Error::Unsupported(error.to_string()))?,
        values,
        units_per_element: (values.ndim() > rank).then(|| values.len_of(Axis(rank))),
    };
    let chunk_count = plan.chunks.len();
    let queue = WriteQueue {
        chunks: plan.chunks.parts(),
        shards: VecDeque::new(),
    };
    let workers = options.workers.min(plan.chunks.units().max(chunk_count));
    run_jobs(queue, workers, chunk_count, options, |job, scratch| {
        writer.run_job(job, scratch)
    })
}

/// The remaining chunks of a write, and the remaining inner chunks of open shards. A shard is *open* until its last
/// inner chunk has been encoded.
struct WriteQueue<'w, U> {
    chunks: ChunkParts<'w>,
    /// The remaining inner chunks of open shards, in groups. At most one shard per worker is open, because a worker
    /// opens another shard only if this queue is empty.
    shards: VecDeque<(Arc<ShardToWrite<'w, U>>, Range<usize>)>,
}

/// A step of a write, performed by one worker.
#[expect(
    clippy::large_enum_variant,
    reason = "each worker holds only one job at a time"
)]
enum WriteJob<'w, U> {
    Write(ChunkPart<'w>),
    /// Encodes a group of inner chunks of a shard.
    Encode(Arc<ShardToWrite<'w, U>>, Range<usize>),
}

/// The outcome of a job.
enum WriteOutcome<'w, U> {
    Opened(Arc<ShardToWrite<'w, U>>),
    /// The number of chunks that were written.
    Chunks(usize),
}

impl<'w, U: Unit> JobQueue for WriteQueue<'w, U> {
    type Job = WriteJob<'w, U>;
    type Outcome = WriteOutcome<'w, U>;

    fn next(&mut self) -> Option<Self::Job> {
        if let Some((shard, numbers)) = self.shards.pop_front() {
            return Some(WriteJob::Encode(shard, numbers));
        }
        self.chunks.next().map(WriteJob::Write)
    }

    fn add_outcome(&mut self, outcome: Self::Outcome) -> usize {
        match outcome {
            WriteOutcome::Opened(shard) => {
                let groups = shard.groups().map(|numbers| (shard.clone(), numbers));
                self.shards.extend(groups);
                0
            }
            WriteOutcome::Chunks(chunks) => chunks,
        }
    }
}

/// The array, the values and the settings, which all workers share.
struct Writer<'w, U> {
    reader: Reader<'w>,
    writable: WritableStorage,
    values: &'w ArrayViewD<'w, U>,
    /// The number of units per element, if the values have an axis for the units.
    units_per_element: Option<usize>,
}

impl<'w, U: Unit> Writer<'w, U> {
    fn run_job(
        &self,
        job: WriteJob<'w, U>,
        scratch: &mut Scratch,
    ) -> Result<WriteOutcome<'w, U>, Error> {
        let part = match job {
            WriteJob::Write(part) => part,
            WriteJob::Encode(shard, numbers) => {
                let is_written = self.encode(&shard, numbers, scratch)?;
                return Ok(WriteOutcome::Chunks(usize::from(is_written)));
            }
        };
        let chunk = self
            .reader
            .chunk(part.chunk().map(|k| k as u64).collect())?;
        // A chunk that is overwritten as a whole need not be read.
        let old_bytes = match part.is_whole() {
            true => None,
            false => self.read(&chunk)?,
        };
        match self.reader.stored.content() {
            Content::Shard(shard) => self
                .open(shard, chunk, &part, old_bytes)
                .map(WriteOutcome::Opened),
            _ => {
                self.write_chunk(&chunk, &part, old_bytes, scratch)?;
                Ok(WriteOutcome::Chunks(1))
            }
        }
    }

    /// Reads an encoded chunk. Returns `None` if the chunk does not exist.
    fn read(&self, chunk: &StoredChunk) -> Result<Option<Bytes>, Error> {
        let sizes = 1..=self.reader.stored.codecs.max_encoded_bytes();
        let checked = self.reader.check_size(chunk, sizes);
        let read = checked.and_then(|()| self.reader.fetch_object(chunk));
        read.map_err(|error| chunk.failed(error))
    }

    /// Writes an encoded chunk, or erases its object if `encoded` is `None`.
    fn store(&self, chunk: &StoredChunk, encoded: Option<Bytes>) -> Result<(), Error> {
        let max_bytes = self.reader.stored.codecs.max_encoded_bytes();
        let wanted = Wanted::new(max_bytes, self.reader.options.deadline, Arc::default());
        let checked = self.reader.check_file(chunk);
        let stored = checked.and_then(|()| {
            wanted.with_hints(|| match encoded {
                Some(encoded) => self.writable.set(&chunk.key, encoded),
                None => self.writable.erase(&chunk.key),
            })
        });
        stored.map_err(|error| chunk.failed(ChunkError::Storage(error)))
    }

    /// Returns the units of `count` elements that all have the fill value.
    fn filled_units(&self, chunk: &StoredChunk, count: usize) -> Result<Vec<U>, Error> {
        let fill = self.reader.stored.fill_units();
        let fill = fill.map_err(|error| chunk.failed(error))?;
        repeat_values(&fill, count * fill.len()).map_err(|_| Error::Memory {
            what: "a chunk",
            bytes: (count as u64).saturating_mul(self.reader.stored.item_size as u64),
        })
    }

    /// Writes one chunk that is encoded as a whole.
    fn write_chunk(
        &self,
        chunk: &StoredChunk,
        part: &ChunkPart<'_>,
        old_bytes: Option<Bytes>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let codecs = &self.reader.stored.codecs;
        let mut units: Vec<U> = match old_bytes {
            Some(bytes) => {
                let bytes = codecs.decode(Cow::Borrowed(&bytes), &codecs.shape, scratch);
                let bytes = bytes.map_err(|error| chunk.failed(error))?;
                let units = as_units(&bytes).map(Cow::into_owned);
                scratch.keep_decoded(bytes);
                units.map_err(|error| chunk.failed(error))?
            }
            None => self.filled_units(chunk, codecs.shape.iter().product())?,
        };
        self.assign(chunk, part, &codecs.shape, &mut units, self.values)?;
        let elements = bytemuck::cast_slice(&units);
        if self.reader.stored.fill_value.equals_all(elements) {
            return self.store(chunk, None);
        }
        let encoded = codecs.encode(Cow::Borrowed(elements), scratch);
        let encoded = match encoded.map_err(|error| chunk.failed(error))? {
            Cow::Owned(encoded) => Bytes::from(encoded),
            Cow::Borrowed(encoded) if std::ptr::eq(encoded, elements) => {
                Bytes::from_owner(OwnedElements(units))
            }
            Cow::Borrowed(encoded) => Bytes::copy_from_slice(encoded),
        };
        self.store(chunk, Some(encoded))
    }

    /// Copies the values of a part to the units of its chunk or inner chunk, whose shape is `shape`.
    fn assign(
        &self,
        chunk: &StoredChunk,
        part: &ChunkPart<'_>,
        shape: &[usize],
        units: &mut [U],
        values: &ArrayViewD<'_, U>,
    ) -> Result<(), Error> {
        let mut shape = shape.to_vec();
        shape.extend(self.units_per_element);
        let view = ArrayViewMut::from_shape(IxDyn(&shape), units);
        let mut view = view.map_err(|error| chunk.failed(ChunkError::Broken(error.to_string())))?;
        let mut selection = part.selection();
        if let Some(units) = self.units_per_element {
            selection = with_last_axis(&selection, units)?;
        }
        // Values are assigned in the order of the lists, so an element that is selected several times keeps the last
        // value.
        view.try_set(selection, &self.values_of(part, values)?)?;
        Ok(())
    }

    /// Returns the values that are written to the elements of a part. They are copied only if the part has lists.
    fn values_of<'v>(
        &self,
        part: &ChunkPart<'_>,
        values: &'v ArrayViewD<'_, U>,
    ) -> Result<CowArray<'v, U, IxDyn>, Error> {
        let mut output = part.output();
        if let Some(units) = self.units_per_element {
            output = with_last_axis(&output, units)?;
        }
        Ok(match output.is_strided() {
            true => CowArray::from(values.try_at(output)?),
            false => CowArray::from(values.try_gather(output)?),
        })
    }
}
