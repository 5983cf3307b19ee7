//! Reading a slice with several workers: fetch, decode, copy, each chunk once.

use std::collections::VecDeque;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

use ndarray::{Array as NdArray, ArrayD, ArrayViewMut, Dimension, IxDyn};
use slice_core::{ChunkParts, Selection, SliceError, SliceFor};
use zarrs::array::{Array, DataType};
use zarrs::storage::byte_range::ByteRange;
use zarrs::storage::{
    ReadableStorage, ReadableStorageTraits, StorageError, StorageHandle, StoreKey,
};

use crate::decode::{Inside, Scratch};
use crate::element::Unit;
use crate::output::Splitter;
use crate::piece::{Piece, Runs, Take, fill};
use crate::plan::{PlanSlice, Planned};
use crate::requests::{Fetched, merged};
use crate::shard::Shard;
use crate::stored::Stored;
use crate::{ChunkError, Element, Error, Progress, ReadOptions, Select};

/// The statistics of a read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Chunks that were decoded; of a shard, its inner chunks. Missing chunks are not.
    pub chunks: usize,
    /// Ranges and objects that were requested from the store, missing ones included.
    pub requests: usize,
    /// Bytes that the store returned.
    pub bytes: u64,
    /// The most bytes that were held at once: the output, and chunks encoded and decoded.
    pub peak_bytes: u64,
}

/// The elements of a slice as bytes, for arrays whose data type is only known at run time.
#[derive(Clone, Debug)]
pub struct RawArray {
    data_type: DataType,
    shape: Vec<usize>,
    units: Units,
}

/// Bytes, aligned as the elements need.
#[derive(Clone, Debug)]
enum Units {
    One(Vec<u8>),
    Two(Vec<u16>),
    Four(Vec<u32>),
    Eight(Vec<u64>),
}

impl RawArray {
    /// The data type of the elements.
    #[must_use]
    pub fn data_type(&self) -> &DataType {
        &self.data_type
    }

    /// The name of the data type.
    #[must_use]
    pub fn data_type_name(&self) -> String {
        crate::stored::name_of(&self.data_type)
    }

    /// The shape.
    #[must_use]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The elements in C order, each in the byte order of this machine.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        match &self.units {
            Units::One(units) => Unit::to_bytes(units),
            Units::Two(units) => Unit::to_bytes(units),
            Units::Four(units) => Unit::to_bytes(units),
            Units::Eight(units) => Unit::to_bytes(units),
        }
    }
}

/// Reading slices of an array.
///
/// # Example
///
/// ```
/// use ndarray::{ArrayD, Ix2};
/// use slice_core::s;
/// use slice_zarr::{ReadOptions, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let out: ArrayD<u8> = array.read_slice(s![1:, ..., ::-2])?;
/// assert_eq!(out.shape(), [3, 3]);
///
/// // With the rank of the array given, that of the result is known to the compiler.
/// let row: ndarray::Array1<u8> = array.read_slice_of::<Ix2, _, _>(s![0])?;
/// assert_eq!(row.len(), 6);
///
/// // Text, other systems' operations, and selections work as well.
/// let out: ArrayD<u8> = array.read_slice("::3, newaxis")?;
/// assert_eq!(out.shape(), [2, 1, 6]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ReadSlice: PlanSlice {
    /// The slice as an array.
    ///
    /// Python equivalent: `z[spec]`.
    ///
    /// # Errors
    ///
    /// See [`Error`]; what was read so far is dropped.
    fn read_slice<T: Element>(&self, spec: impl Select) -> Result<ArrayD<T>, Error> {
        Ok(self.read_slice_with(spec, &ReadOptions::new())?.0)
    }

    /// [`read_slice`](Self::read_slice) with options; also returns statistics.
    ///
    /// # Errors
    ///
    /// As there.
    fn read_slice_with<T: Element>(
        &self,
        spec: impl Select,
        options: &ReadOptions<'_>,
    ) -> Result<(ArrayD<T>, Stats), Error>;

    /// The slice of an array whose rank is known at compile time, in an array whose rank follows from it.
    ///
    /// # Errors
    ///
    /// As [`read_slice`](Self::read_slice); [`SliceError::RankMismatch`] if the array has another rank.
    fn read_slice_of<D, T, I>(&self, spec: I) -> Result<NdArray<T, I::OutDim>, Error>
    where
        D: Dimension,
        T: Element,
        I: SliceFor<D> + Select;

    /// Reads the slice into an existing array or view, without another copy of it.
    ///
    /// Python equivalent: `out[...] = z[spec]`, without broadcasting.
    ///
    /// # Errors
    ///
    /// As [`read_slice`](Self::read_slice); [`SliceError::ShapeMismatch`] or [`SliceError::RankMismatch`] unless `out` has
    /// the shape of the slice. After any other error, some elements of `out` may have been written.
    fn read_slice_into<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        out: ArrayViewMut<'_, T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<Stats, Error>;

    /// The slice as bytes, whatever the data type.
    ///
    /// # Errors
    ///
    /// As [`read_slice`](Self::read_slice).
    fn read_slice_raw(
        &self,
        spec: impl Select,
        options: &ReadOptions<'_>,
    ) -> Result<(RawArray, Stats), Error>;
}

impl<S: ?Sized + ReadableStorageTraits + 'static> ReadSlice for Array<S> {
    fn read_slice_with<T: Element>(
        &self,
        spec: impl Select,
        options: &ReadOptions<'_>,
    ) -> Result<(ArrayD<T>, Stats), Error> {
        let plan = Planned::new(self, spec)?;
        check_element::<T>(self.data_type())?;
        let mut out = zeros::<T>(plan.shape(), 1)?;
        let stats = read(self, &plan, out.view_mut(), options)?;
        Ok((out, stats))
    }

    fn read_slice_of<D, T, I>(&self, spec: I) -> Result<NdArray<T, I::OutDim>, Error>
    where
        D: Dimension,
        T: Element,
        I: SliceFor<D> + Select,
    {
        let actual = self.shape().len();
        let expected = D::NDIM.unwrap_or(actual);
        if expected != actual {
            return Err(SliceError::RankMismatch {
                expected: actual,
                actual: expected,
            }
            .into());
        }
        let out: ArrayD<T> = self.read_slice(spec)?;
        let out = out.into_dimensionality();
        Ok(out.expect("the type of a slice knows the rank of its result"))
    }

    fn read_slice_into<T: Element, D: Dimension>(
        &self,
        spec: impl Select,
        out: ArrayViewMut<'_, T, D>,
        options: &ReadOptions<'_>,
    ) -> Result<Stats, Error> {
        let plan = Planned::new(self, spec)?;
        check_element::<T>(self.data_type())?;
        check_shape(plan.shape(), out.shape())?;
        read(self, &plan, out.into_dyn(), options)
    }

    fn read_slice_raw(
        &self,
        spec: impl Select,
        options: &ReadOptions<'_>,
    ) -> Result<(RawArray, Stats), Error> {
        let plan = Planned::new(self, spec)?;
        let size = plan.stored().item_size;
        let (units, stats) = match size {
            2 => raw(self, &plan, options, 1, Units::Two)?,
            4 => raw(self, &plan, options, 1, Units::Four)?,
            8 => raw(self, &plan, options, 1, Units::Eight)?,
            16 => raw(self, &plan, options, 2, Units::Eight)?,
            size => raw(self, &plan, options, size, Units::One)?,
        };
        let raw = RawArray {
            data_type: self.data_type().clone(),
            shape: plan.shape().to_vec(),
            units,
        };
        Ok((raw, stats))
    }
}

/// Reads in units of which each element has `per_item`.
fn raw<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    options: &ReadOptions<'_>,
    per_item: usize,
    units: fn(Vec<U>) -> Units,
) -> Result<(Units, Stats), Error> {
    let mut out = zeros::<U>(plan.shape(), per_item)?;
    let stats = read(array, plan, out.view_mut(), options)?;
    Ok((units(out.into_raw_vec_and_offset().0), stats))
}

/// Whether an output has the shape of the result.
pub(crate) fn check_shape(expected: &[usize], actual: &[usize]) -> Result<(), SliceError> {
    if expected.len() != actual.len() {
        let (expected, actual) = (expected.len(), actual.len());
        return Err(SliceError::RankMismatch { expected, actual });
    }
    for (axis, (&expected, &actual)) in expected.iter().zip(actual).enumerate() {
        if expected != actual {
            return Err(SliceError::ShapeMismatch {
                axis,
                expected,
                actual,
            });
        }
    }
    Ok(())
}

pub(crate) fn check_element<T: Element>(data_type: &DataType) -> Result<(), Error> {
    T::validate_data_type(data_type).map_err(|_| Error::Element {
        data_type: crate::stored::name_of(data_type),
        element: std::any::type_name::<T>(),
    })
}

/// An output, if there is enough memory for it.
pub(crate) fn zeros<U: Unit>(shape: &[usize], per_item: usize) -> Result<ArrayD<U>, Error> {
    let mut shape = shape.to_vec();
    if per_item != 1 {
        shape.push(per_item);
    }
    let lengths = shape.iter().map(|&len| len as u128);
    let elements = lengths.fold(1, u128::saturating_mul);
    let bytes = elements.saturating_mul(size_of::<U>() as u128);
    let too_much = || Error::Memory {
        what: "the output",
        bytes: bytes.try_into().unwrap_or(u64::MAX),
    };
    if bytes > isize::MAX as u128 {
        return Err(too_much());
    }
    // Allocated once to see whether there is enough: memory that the allocator zeroes need not be written before use.
    let asked = Vec::<U>::new().try_reserve_exact(elements as usize);
    asked.map_err(|_| too_much())?;
    let mut zeros = vec![U::ZERO; elements as usize];
    slice_core::__private::huge_pages(&mut zeros);
    ArrayD::from_shape_vec(shape, zeros).map_err(|_| too_much())
}

/// A chunk of the grid that is being read.
struct Chunk {
    indices: Vec<u64>,
    key: StoreKey,
    /// The number of pieces that are not done.
    left: AtomicUsize,
}

impl Chunk {
    fn failed(&self, source: ChunkError) -> Error {
        Error::Chunk {
            chunk: self.indices.clone(),
            key: self.key.to_string(),
            source: Box::new(source),
        }
    }
}

/// Pieces whose bytes are fetched together.
struct Batch<'a, U> {
    chunk: Arc<Chunk>,
    /// `None` for the whole object.
    ranges: Option<Vec<Range<u64>>>,
    pieces: Vec<Piece<'a, U>>,
}

/// A piece whose bytes were fetched.
struct Ready<'a, U> {
    chunk: Arc<Chunk>,
    piece: Piece<'a, U>,
    fetched: Arc<Held>,
}

/// Bytes of the store, counted while they are held.
struct Held {
    fetched: Fetched,
    tally: Arc<Tally>,
}

impl Drop for Held {
    fn drop(&mut self) {
        self.tally.release(self.fetched.bytes());
    }
}

/// What is counted while reading.
#[derive(Default)]
struct Tally {
    chunks: AtomicUsize,
    requests: AtomicUsize,
    bytes: AtomicU64,
    held: AtomicU64,
    peak: AtomicU64,
}

impl Tally {
    fn hold(&self, bytes: u64) {
        let held = self.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(held, Ordering::Relaxed);
    }

    fn release(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The work that is left.
struct Work<'p, 'a, U> {
    parts: ChunkParts<'p>,
    output: Splitter<'a, U>,
    batches: Vec<Batch<'a, U>>,
    ready: VecDeque<Ready<'a, U>>,
    /// Workers that may still add to `batches` or `ready`.
    fetching: usize,
    done: usize,
    error: Option<Error>,
}

struct Reader<'r> {
    stored: &'r Stored,
    storage: ReadableStorage,
    key: &'r (dyn Fn(&[u64]) -> StoreKey + Sync),
    options: &'r ReadOptions<'r>,
    tally: Arc<Tally>,
    of: usize,
}

pub(crate) fn read<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    output: ArrayViewMut<'_, U, IxDyn>,
    options: &ReadOptions<'_>,
) -> Result<Stats, Error> {
    let stored = plan.stored();
    options.check_chunk(plan, stored.decoded().bytes())?;
    let storage = array
        .storage_transformers()
        .create_readable_transformer(Arc::new(StorageHandle::new(array.storage())))
        .map_err(|error| Error::Unsupported(error.to_string()))?;
    let tally = Arc::new(Tally::default());
    tally.hold((output.len() * size_of::<U>()) as u64);
    let reader = Reader {
        stored,
        storage,
        key: &|indices| array.chunk_key(indices),
        options,
        tally: tally.clone(),
        of: plan.chunks().len(),
    };
    let work = Mutex::new(Work {
        parts: plan.chunks().parts(),
        output: Splitter::new(plan.chunks(), output),
        batches: Vec::new(),
        ready: VecDeque::new(),
        fetching: 0,
        done: 0,
        error: None,
    });
    let changed = Condvar::new();
    let inner_per_chunk = plan.inner_chunks() / plan.chunks().len().max(1);
    let workers = options
        .workers
        .min(plan.chunks().len().saturating_mul(inner_per_chunk.max(1)));
    let worker = || reader.work(&work, &changed);
    std::thread::scope(|scope| {
        for _ in 1..workers {
            scope.spawn(worker);
        }
        worker();
    });
    let work = work
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    match work.error {
        Some(error) => Err(error),
        None => Ok(Stats {
            chunks: tally.chunks.load(Ordering::Relaxed),
            requests: tally.requests.load(Ordering::Relaxed),
            bytes: tally.bytes.load(Ordering::Relaxed),
            peak_bytes: tally.peak.load(Ordering::Relaxed),
        }),
    }
}

fn lock<'m, T>(mutex: &'m Mutex<T>) -> MutexGuard<'m, T> {
    mutex
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Stops the other workers when one panics, so that no worker waits for it.
struct StopOnPanic<'w, 'p, 'a, U> {
    work: &'w Mutex<Work<'p, 'a, U>>,
    changed: &'w Condvar,
}

impl<U> Drop for StopOnPanic<'_, '_, '_, U> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            lock(self.work).error.get_or_insert(Error::Cancelled);
            self.changed.notify_all();
        }
    }
}

/// A panic of a store is an error: some stores panic for ranges beyond the end of an object.
fn guarded<T>(ask: impl FnOnce() -> Result<T, StorageError>) -> Result<T, ChunkError> {
    let answer = catch_unwind(AssertUnwindSafe(ask));
    let panicked = |_| ChunkError::Broken("the store panicked: is the chunk truncated?".into());
    Ok(answer.map_err(panicked)??)
}

impl Reader<'_> {
    /// What each worker does until nothing is left: pieces whose bytes were fetched come first, so that no more bytes are
    /// held than needed.
    fn work<U: Unit>(&self, work: &Mutex<Work<'_, '_, U>>, changed: &Condvar) {
        let _panicking = StopOnPanic { work, changed };
        let mut scratch = Scratch::default();
        let mut at = lock(work);
        loop {
            if at.error.is_none() {
                at.error = self.options.check_cancel().err();
            }
            if at.error.is_some() {
                return;
            }
            if let Some(ready) = at.ready.pop_front() {
                drop(at);
                let chunk = ready.chunk.clone();
                let result = self.finish(ready, &mut scratch);
                let result = result.map_err(|error| chunk.failed(error));
                at = lock(work);
                self.settle(&mut at, &chunk, 1, result);
                if at.error.is_some() {
                    changed.notify_all();
                }
                continue;
            }
            at.fetching += 1;
            let result = if let Some(batch) = at.batches.pop() {
                drop(at);
                let chunk = batch.chunk.clone();
                let result = self.fetch_batch(batch).map_err(|error| chunk.failed(error));
                at = lock(work);
                match result {
                    Ok(ready) if ready.is_empty() => {
                        self.settle(&mut at, &chunk, 0, Ok(()));
                        Ok(())
                    }
                    Ok(ready) => {
                        at.ready.extend(ready);
                        Ok(())
                    }
                    Err(error) => Err(error),
                }
            } else if let Some(part) = at.parts.next() {
                let view = at.output.next(&part);
                drop(at);
                let indices: Vec<u64> = part.chunk().map(|k| k as u64).collect();
                let chunk = Arc::new(Chunk {
                    key: (self.key)(&indices),
                    indices,
                    left: AtomicUsize::new(0),
                });
                let result = self.open(&chunk, part.selection(), view);
                at = lock(work);
                match result {
                    Ok(batches) if batches.is_empty() => {
                        self.settle(&mut at, &chunk, 0, Ok(()));
                        Ok(())
                    }
                    Ok(batches) => {
                        at.batches.extend(batches);
                        Ok(())
                    }
                    Err(error) => Err(chunk.failed(error)),
                }
            } else {
                at.fetching -= 1;
                if at.fetching == 0 {
                    changed.notify_all();
                    return;
                }
                at = changed
                    .wait(at)
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                continue;
            };
            at.fetching -= 1;
            if let Err(error) = result {
                at.error.get_or_insert(error);
            }
            changed.notify_all();
        }
    }

    /// Notes that `pieces` of a chunk are done.
    fn settle<U>(
        &self,
        at: &mut Work<'_, '_, U>,
        chunk: &Chunk,
        pieces: usize,
        result: Result<(), Error>,
    ) {
        match result {
            Err(error) => {
                at.error.get_or_insert(error);
            }
            Ok(()) => {
                if chunk.left.fetch_sub(pieces, Ordering::Relaxed) == pieces {
                    at.done += 1;
                    if let Some(progress) = self.options.progress {
                        let (chunks, of) = (at.done, self.of);
                        progress(Progress { chunks, of });
                    }
                }
            }
        }
    }

    /// What of a chunk has to be fetched for this part of the output.
    fn open<'a, U: Unit>(
        &self,
        chunk: &Arc<Chunk>,
        selection: Selection,
        view: ArrayViewMut<'a, U, IxDyn>,
    ) -> Result<Vec<Batch<'a, U>>, ChunkError> {
        let batch = |ranges, take, selection, view| {
            chunk.left.store(1, Ordering::Relaxed);
            Ok(vec![Batch {
                chunk: chunk.clone(),
                ranges,
                pieces: vec![Piece {
                    selection,
                    view,
                    take,
                }],
            }])
        };
        match self.stored.inside() {
            Inside::Encoded => batch(None, Take::All, selection, view),
            Inside::Raw => match self.runs(&selection, 0)? {
                None => batch(None, Take::All, selection, view),
                Some(runs) => {
                    let (gap, limit) = (self.options.merge_gap, u64::MAX);
                    let ranges = merged(runs.ranges(), gap, limit);
                    batch(Some(ranges), Take::Runs(runs), selection, view)
                }
            },
            Inside::Shard(shard) => self.open_shard(shard, chunk, &selection, view),
        }
    }

    fn runs(&self, selection: &Selection, base: u64) -> Result<Option<Box<Runs>>, ChunkError> {
        let runs = Runs::new(
            selection,
            base,
            self.stored.item_size,
            self.options.merge_gap,
        );
        match runs {
            Ok(runs) => Ok(runs.map(Box::new)),
            Err(error) => Err(ChunkError::Broken(error.to_string())),
        }
    }

    fn open_shard<'a, U: Unit>(
        &self,
        shard: &Shard,
        chunk: &Arc<Chunk>,
        selection: &Selection,
        mut view: ArrayViewMut<'a, U, IxDyn>,
    ) -> Result<Vec<Batch<'a, U>>, ChunkError> {
        let Some(index) = self.shard_index(shard, &chunk.key)? else {
            fill(&mut view, self.stored)?;
            return Ok(Vec::new());
        };
        let inner = selection.chunks(&shard.codecs.shape);
        let inner = inner.map_err(|error| ChunkError::Broken(error.to_string()))?;
        let mut output = Splitter::new(&inner, view);
        let mut pieces = Vec::new();
        for part in inner.parts() {
            let mut view = output.next(&part);
            let place = part
                .chunk()
                .zip(&shard.grid)
                .fold(0, |sum, (k, &len)| sum * len + k);
            let Some(range) = shard.range(&index, place)? else {
                fill(&mut view, self.stored)?;
                continue;
            };
            let selection = part.selection();
            let runs = if shard.raw() {
                self.runs(&selection, range.start)?
            } else {
                None
            };
            let take = runs.map_or(Take::Encoded(range.clone()), Take::Runs);
            pieces.push((
                range,
                Piece {
                    selection,
                    view,
                    take,
                },
            ));
        }
        pieces.sort_by_key(|(range, _)| range.start);
        chunk.left.store(pieces.len(), Ordering::Relaxed);

        let mut batches: Vec<(u64, Vec<Piece<'a, U>>)> = Vec::new();
        for (range, piece) in pieces {
            let len = range.end - range.start;
            match batches.last_mut() {
                Some((bytes, pieces)) if *bytes + len <= self.options.batch => {
                    *bytes += len;
                    pieces.push(piece);
                }
                _ => batches.push((len, vec![piece])),
            }
        }
        let gap = self.options.merge_gap;
        let batches = batches.into_iter().map(|(_, pieces)| {
            let mut ranges: Vec<Range<u64>> = Vec::new();
            for piece in &pieces {
                match &piece.take {
                    Take::Encoded(range) => ranges.push(range.clone()),
                    Take::Runs(runs) => ranges.extend(merged(runs.ranges(), gap, u64::MAX)),
                    Take::All => unreachable!("inner chunks have a range"),
                }
            }
            ranges.sort_by_key(|range| range.start);
            Batch {
                chunk: chunk.clone(),
                ranges: Some(merged(ranges, gap, self.options.batch)),
                pieces,
            }
        });
        Ok(batches.rev().collect())
    }

    /// The index of a shard: begin and length of each inner chunk; `None` if the shard does not exist.
    fn shard_index(&self, shard: &Shard, key: &StoreKey) -> Result<Option<Vec<u64>>, ChunkError> {
        let len = shard.index_bytes;
        // No memory is allocated for a size that only the metadata claims.
        if len > 16 << 20 {
            match guarded(|| self.storage.size_key(key))? {
                None => return Ok(None),
                Some(size) if size < len => return Err(shard.truncated(size)),
                Some(_) => {}
            }
        }
        let range = if shard.index_at_end {
            ByteRange::Suffix(len)
        } else {
            ByteRange::FromStart(0, Some(len))
        };
        self.tally.requests.fetch_add(1, Ordering::Relaxed);
        let Some(bytes) = guarded(|| self.storage.get_partial(key, range))? else {
            return Ok(None);
        };
        self.tally
            .bytes
            .fetch_add(bytes.len() as u64, Ordering::Relaxed);
        if bytes.len() as u64 != len {
            return Err(shard.truncated(bytes.len() as u64));
        }
        Ok(Some(shard.index(&bytes)?))
    }

    fn fetch_batch<'a, U: Unit>(
        &self,
        batch: Batch<'a, U>,
    ) -> Result<Vec<Ready<'a, U>>, ChunkError> {
        let Batch {
            chunk,
            ranges,
            mut pieces,
        } = batch;
        let Some(fetched) = self.fetch(&chunk.key, ranges)? else {
            if let Inside::Shard(_) = self.stored.inside() {
                return Err(ChunkError::Broken("disappeared while it was read".into()));
            }
            for piece in &mut pieces {
                fill(&mut piece.view, self.stored)?;
            }
            chunk.left.store(0, Ordering::Relaxed);
            return Ok(Vec::new());
        };
        self.tally.hold(fetched.bytes());
        self.tally
            .bytes
            .fetch_add(fetched.bytes(), Ordering::Relaxed);
        let fetched = Arc::new(Held {
            fetched,
            tally: self.tally.clone(),
        });
        let ready = pieces.into_iter().map(|piece| Ready {
            chunk: chunk.clone(),
            piece,
            fetched: fetched.clone(),
        });
        Ok(ready.collect())
    }

    /// `None` if the object does not exist.
    fn fetch(
        &self,
        key: &StoreKey,
        ranges: Option<Vec<Range<u64>>>,
    ) -> Result<Option<Fetched>, ChunkError> {
        let requests = ranges.as_ref().map_or(1, Vec::len);
        self.tally.requests.fetch_add(requests, Ordering::Relaxed);
        let Some(ranges) = ranges else {
            return Ok(guarded(|| self.storage.get(key))?.map(Fetched::Whole));
        };
        let asked = ranges
            .iter()
            .map(|range| ByteRange::new(range.clone()))
            .collect::<Vec<_>>();
        let answers = guarded(|| {
            let answers = self
                .storage
                .get_partial_many(key, Box::new(asked.into_iter()))?;
            answers
                .map(|answers| answers.collect::<Result<Vec<_>, _>>())
                .transpose()
        })?;
        let Some(answers) = answers else {
            return Ok(None);
        };
        let mut fetched = Vec::with_capacity(ranges.len());
        for (range, bytes) in ranges.into_iter().zip(answers) {
            let len = range.end - range.start;
            if bytes.len() as u64 != len {
                return Err(ChunkError::Broken(format!(
                    "is truncated: {} of {len} bytes at {}",
                    bytes.len(),
                    range.start
                )));
            }
            fetched.push((range, bytes));
        }
        Ok(Some(Fetched::Ranges(fetched)))
    }

    fn finish<U: Unit>(
        &self,
        ready: Ready<'_, U>,
        scratch: &mut Scratch,
    ) -> Result<(), ChunkError> {
        let Ready { piece, fetched, .. } = ready;
        // What the worker keeps from the chunk before is counted already.
        let before = scratch.kept();
        let mut held = before;
        let result = piece.finish(self.stored, &fetched.fetched, scratch, |bytes| {
            held = bytes.max(before);
            self.tally.hold(held - before);
        });
        self.tally.release(held.saturating_sub(scratch.kept()));
        self.tally.chunks.fetch_add(1, Ordering::Relaxed);
        result
    }
}
