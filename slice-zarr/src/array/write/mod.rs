//! Writes slices. Only the touched chunks are written, and chunks that are overwritten as a whole are not read.

mod shard;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use ndarray::{ArrayRef, ArrayViewD, ArrayViewMut, Axis, Dimension, IxDyn};
use slice_core::{
    AxisPositions, AxisRange, OuterSelection, OutputAxis, SliceError, StridedSliceExt,
};
use zarrs::array::Array;
use zarrs::storage::{
    ReadableStorage, ReadableStorageTraits, ReadableWritableStorageTraits, StorageError,
    StorageHandle, StoreKey, WritableStorage, WritableStorageTraits,
};

use crate::array::codecs::Inside;
use crate::array::codecs::bounded::filled;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Element;
use crate::array::element::Unit;
use crate::array::error::{ChunkError, Error};
use crate::array::options::ReadOptions;
use crate::array::plan::{Chunks, Part, PlanSlice, Planned};
use crate::array::read::check_element;
use crate::array::read::piece::with_axis;
use crate::array::select::Select;
use crate::array::storage::checked::Checked;
use crate::array::storage::keys::chunk_key;
use crate::array::storage::wanted::{Wanted, check_size};
use crate::array::stored::Stored;
use crate::array::workers::{Work, work};
use crate::array::write::shard::OpenShard;

/// Writes to slices of an array.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayD, arr1};
/// use slice_core::s;
/// use slice_zarr::{ReadSlice, WriteSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![3, 4], data_type::int16(), 0_i16).build(store, "/")?;
///
/// array.write_slice(s![1:3, ::-2], &arr1(&[1_i16, 2, 3]))?;
/// let row: ArrayD<i16> = array.read_slice(s![2])?;
/// assert_eq!(row, arr1(&[0, 3, 0, 2, 0, 1]).into_dyn());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait WriteSlice: PlanSlice {
    /// Writes values to the slice, and broadcasts them as NumPy does.
    ///
    /// Python equivalent: `z[spec] = values`.
    ///
    /// Each touched chunk is read, changed and written. A chunk is not read if all elements of the array in this chunk
    /// are overwritten. Inner chunks of a shard that the slice does not touch are copied as they are, without being
    /// decoded. Of two concurrent writes to the same chunk, one may undo the other. Chunks are written separately.
    /// Whether a chunk is replaced atomically depends on the store: object stores guarantee it, and for files, zarrs'
    /// [`AtomicWriteStorageAdapter`] does. If a process is killed while this adapter writes a chunk, an object whose
    /// key ends in `.tmp` remains. The adapter then returns an error for each write to that chunk ("temporary key
    /// c/0/0.tmp already exists"), because another process may be writing the chunk. Erase the object when no process
    /// is writing to the array.
    ///
    /// [`AtomicWriteStorageAdapter`]: zarrs::storage::storage_adapter::atomic_write::AtomicWriteStorageAdapter
    ///
    /// # Errors
    ///
    /// Returns [`Error::Broadcast`] if the values do not broadcast to the slice. In that case, nothing is written.
    /// After any other [`Error`], some chunks may have been written.
    fn write_slice<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
    ) -> Result<(), Error> {
        self.write_slice_with(spec, values, &ReadOptions::new())
    }

    /// Writes values to the slice with these options. Only `workers`, `max_chunk`, `progress`, `cancel` and `deadline`
    /// affect a write.
    ///
    /// # Errors
    /// Returns the errors of [`write_slice`](Self::write_slice).
    fn write_slice_with<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<(), Error>;
}

impl<S: ?Sized + ReadableWritableStorageTraits + 'static> WriteSlice for Array<S> {
    fn write_slice_with<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        values: &ArrayRef<T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<(), Error> {
        let plan = Planned::new(self, spec)?;
        check_element::<T>(self.data_type())?;
        let values_shape = values.shape().to_vec();
        let values = trimmed(values, plan.shape().len());
        let values = values.broadcast(IxDyn(plan.shape()));
        let values = values.ok_or_else(|| Error::Broadcast {
            value: values_shape,
            slice: plan.shape().to_vec(),
        })?;
        write(self, &plan, &values, options)
    }
}

/// Writes `values`, which have the shape of the slice, and may have an additional last axis for the units of an
/// element.
pub(crate) fn write<U: Unit, S: ?Sized + ReadableWritableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    values: &ArrayViewD<'_, U>,
    options: &ReadOptions<'_>,
) -> Result<(), Error> {
    let stored = plan.stored();
    options.check_chunk(plan, stored.codecs.bytes())?;
    let storage = Arc::new(Checked::new(array));
    let transformers = array.storage_transformers();
    let refused = |error: StorageError| Error::Unsupported(error.to_string());
    let readable = Arc::new(StorageHandle::new(storage.clone()));
    let writable = Arc::new(StorageHandle::new(storage));
    let rank = plan.shape().len();
    let writer = Writer {
        stored,
        readable: { transformers.create_readable_transformer(readable) }.map_err(refused)?,
        writable: { transformers.create_writable_transformer(writable) }.map_err(refused)?,
        key: &|indices| chunk_key(array, indices),
        values,
        per_item: (values.ndim() > rank).then(|| values.len_of(Axis(rank))),
        options,
    };
    let of = plan.chunks().len();
    let queue = Queue {
        chunks: plan.chunks(),
        next: 0,
        shards: VecDeque::new(),
    };
    let workers = options.workers.min(plan.inner_chunks().max(of));
    work(queue, workers, of, options, |job, scratch| {
        writer.work(job, scratch)
    })
}

/// The remaining chunks of a write, and the remaining inner chunks of open shards.
struct Queue<'w, U> {
    chunks: &'w Chunks,
    next: usize,
    /// The remaining inner chunks of open shards, in groups. At most one shard per worker is open, because a worker
    /// opens another shard only if this queue is empty.
    shards: VecDeque<(Arc<OpenShard<'w, U>>, Range<usize>)>,
}

/// A step of a write that one worker performs.
#[expect(
    clippy::large_enum_variant,
    reason = "each worker holds only one at a time"
)]
enum Job<'w, U> {
    Write(Part<'w>),
    /// Encodes a group of inner chunks of a shard.
    Encode(Arc<OpenShard<'w, U>>, Range<usize>),
}

/// The outcome of a job.
enum Done<'w, U> {
    Opened(Arc<OpenShard<'w, U>>),
    /// The number of chunks that were written.
    Chunks(usize),
}

impl<'w, U: Unit> Work for Queue<'w, U> {
    type Job = Job<'w, U>;
    type Done = Done<'w, U>;

    fn next(&mut self) -> Option<Self::Job> {
        if let Some((shard, numbers)) = self.shards.pop_front() {
            return Some(Job::Encode(shard, numbers));
        }
        let part = self.chunks.part(self.next)?;
        self.next += 1;
        Some(Job::Write(part))
    }

    fn take(&mut self, done: Self::Done) -> usize {
        match done {
            Done::Opened(shard) => {
                let groups = shard.groups().map(|numbers| (shard.clone(), numbers));
                self.shards.extend(groups);
                0
            }
            Done::Chunks(chunks) => chunks,
        }
    }
}

/// The array, the values and the settings that all workers use.
struct Writer<'w, U> {
    stored: &'w Stored,
    readable: ReadableStorage,
    writable: WritableStorage,
    key: &'w (dyn Fn(&[u64]) -> Result<StoreKey, Error> + Sync),
    values: &'w ArrayViewD<'w, U>,
    /// The number of units per element, if the values have an axis for them.
    per_item: Option<usize>,
    options: &'w ReadOptions<'w>,
}

/// A chunk of the grid that is being written.
struct Chunk {
    indices: Vec<u64>,
    key: StoreKey,
}

impl Chunk {
    fn failed(&self, source: ChunkError) -> Error {
        source.of_chunk(self.indices.clone(), self.key.as_str())
    }

    fn broken(&self, what: &str) -> Error {
        self.failed(ChunkError::Broken(what.into()))
    }
}

impl<'w, U: Unit> Writer<'w, U> {
    fn work(&self, job: Job<'w, U>, scratch: &mut Scratch) -> Result<Done<'w, U>, Error> {
        let part = match job {
            Job::Write(part) => part,
            Job::Encode(shard, numbers) => {
                let is_written = self.encode(&shard, numbers, scratch)?;
                return Ok(Done::Chunks(usize::from(is_written)));
            }
        };
        let indices = part.indices();
        let key = (self.key)(&indices)?;
        let chunk = Chunk { indices, key };
        // A chunk that is overwritten as a whole need not be read.
        let old = match part.is_whole() {
            true => None,
            false => self.read(&chunk)?,
        };
        match self.stored.inside() {
            Inside::Shard(shard) => self.open(shard, chunk, &part, old).map(Done::Opened),
            _ => {
                self.write_chunk(&chunk, &part, old, scratch)?;
                Ok(Done::Chunks(1))
            }
        }
    }

    fn wanted(&self) -> Wanted {
        let most = self.stored.codecs.most_encoded();
        Wanted::new(most, self.options.deadline, Arc::default())
    }

    /// Reads an encoded chunk. Returns `None` if the chunk does not exist.
    fn read(&self, chunk: &Chunk) -> Result<Option<Bytes>, Error> {
        let most = self.stored.codecs.most_encoded();
        let read = self.wanted().during(|| {
            if self.options.sized
                && let Some(size) = self.readable.size_key(&chunk.key)?
            {
                check_size(size, &(1..=most)).map_err(ChunkError::Broken)?;
            }
            Ok(self.readable.get(&chunk.key)?)
        });
        read.map_err(|error| chunk.failed(error))
    }

    /// Writes an encoded chunk, or erases its object if `encoded` is `None`.
    fn store(&self, chunk: &Chunk, encoded: Option<Bytes>) -> Result<(), Error> {
        let stored = self.wanted().during(|| match encoded {
            Some(encoded) => self.writable.set(&chunk.key, encoded),
            None => self.writable.erase(&chunk.key),
        });
        stored.map_err(|error| chunk.failed(ChunkError::Storage(error)))
    }

    /// Returns the units of the fill value.
    fn fill(&self, chunk: &Chunk) -> Result<Cow<'w, [U]>, Error> {
        let fill = U::from_bytes(self.stored.fill_value.as_ne_bytes());
        fill.ok_or_else(|| chunk.broken("the fill value is not a valid element of the data type"))
    }

    /// Returns the units of `count` elements that all have the fill value.
    fn filled(&self, chunk: &Chunk, count: usize) -> Result<Vec<U>, Error> {
        let fill = self.fill(chunk)?;
        filled(&fill, count * fill.len()).map_err(|_| Error::Memory {
            what: "a chunk",
            bytes: (count as u64).saturating_mul(self.stored.item_size as u64),
        })
    }

    /// Writes one chunk that is encoded as a whole.
    fn write_chunk(
        &self,
        chunk: &Chunk,
        part: &Part<'_>,
        old: Option<Bytes>,
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        let codecs = &self.stored.codecs;
        let mut units: Vec<U> = match old {
            Some(bytes) => {
                let bytes = codecs.decode(Cow::Borrowed(&bytes), &codecs.shape, scratch);
                let bytes = bytes.map_err(|error| chunk.failed(error))?;
                let units = U::from_bytes(&bytes).map(Cow::into_owned);
                scratch.keep(bytes);
                units.ok_or_else(|| chunk.broken(INVALID))?
            }
            None => self.filled(chunk, codecs.shape.iter().product())?,
        };
        self.set(chunk, part, &codecs.shape, &mut units, self.values)?;
        let elements = U::to_bytes(&units);
        if self.stored.fill_value.equals_all(elements) {
            return self.store(chunk, None);
        }
        let encoded = codecs.encode(Cow::Borrowed(elements), scratch);
        let encoded = match encoded.map_err(|error| chunk.failed(error))? {
            Cow::Owned(encoded) => Bytes::from(encoded),
            Cow::Borrowed(encoded) if std::ptr::eq(encoded, elements) => {
                Bytes::from_owner(Elements(units))
            }
            Cow::Borrowed(encoded) => Bytes::copy_from_slice(encoded),
        };
        self.store(chunk, Some(encoded))
    }

    /// Copies the values of a part to the units of its chunk or inner chunk, whose shape is `shape`.
    fn set(
        &self,
        chunk: &Chunk,
        part: &Part<'_>,
        shape: &[usize],
        units: &mut [U],
        values: &ArrayViewD<'_, U>,
    ) -> Result<(), Error> {
        let mut shape = shape.to_vec();
        shape.extend(self.per_item);
        let view = ArrayViewMut::from_shape(IxDyn(&shape), units);
        let mut view = view.map_err(|error| chunk.broken(&error.to_string()))?;
        match part {
            Part::Block(part) => {
                let (mut inside, mut output) = (part.selection(), part.output());
                if let Some(units) = self.per_item {
                    (inside, output) = (with_axis(&inside, units)?, with_axis(&output, units)?);
                }
                view.try_set(inside, &values.try_at(output)?)?;
            }
            Part::Lists(part) => {
                let (mut inside, mut output) = (part.selection(), part.output());
                if let Some(units) = self.per_item {
                    inside = with_listed_axis(&inside, units)?;
                    output = with_listed_axis(&output, units)?;
                }
                // Values are assigned in the order of the list. An element that is assigned several values therefore
                // keeps the last one.
                view.try_set(inside, &values.try_gather(output)?)?;
            }
        }
        Ok(())
    }
}

/// Elements that are written as they are in memory, without a copy.
struct Elements<U>(Vec<U>);

impl<U: Unit> AsRef<[u8]> for Elements<U> {
    fn as_ref(&self) -> &[u8] {
        U::to_bytes(&self.0)
    }
}

/// The message for decoded bytes that are not valid elements.
const INVALID: &str = "the bytes are not valid elements of the data type";

/// Removes leading axes of length 1 from values whose rank is larger than `rank`.
fn trimmed<'v, T, D: Dimension>(values: &'v ArrayRef<T, D>, rank: usize) -> ArrayViewD<'v, T> {
    let mut view = values.view().into_dyn();
    while view.ndim() > rank && view.shape()[0] == 1 {
        view = view.index_axis_move(Axis(0), 0);
    }
    view
}

/// Returns the selection with an additional last axis of length `len`, which is selected in full.
fn with_listed_axis(selection: &OuterSelection, len: usize) -> Result<OuterSelection, SliceError> {
    let rank = selection.input_shape().len();
    let shape = [selection.input_shape(), &[len]].concat();
    let axes = (0..rank).map(|axis| selection.axis(axis));
    let output: Vec<OutputAxis> = selection.output_axes().collect();
    OuterSelection::from_axes(
        &shape,
        axes.chain([AxisPositions::Range(AxisRange::whole(len))]),
        &[output, vec![OutputAxis::Input(rank)]].concat(),
    )
}
