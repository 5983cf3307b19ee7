//! Options for reads and writes: workers, request sizes, limits, progress, cancellation and the deadline.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::array::error::{ChunkError, Error};

/// The progress of a read or a write.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, Progress, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let show = |progress: Progress| println!("{} of {} chunks", progress.chunks, progress.of);
/// array.read_slice_with::<u8>(s![::2], &AccessOptions::new().progress(&show))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of finished chunks (for a sharded array, of finished shards).
    pub chunks: usize,
    /// The number of chunks (for a sharded array, of shards) that the read or write touches. If a plan is run with
    /// several reads and writes, one for each part of the plan, both fields describe only the current read or write.
    pub of: usize,
}

/// The limits of a read. If the plan of a read exceeds a limit, the read returns an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    chunks: Option<u64>,
    requests: Option<u64>,
    bytes: Option<u64>,
    memory: Option<u64>,
}

impl Limits {
    /// Returns `true` if any limit is set.
    pub(crate) fn is_any_set(&self) -> bool {
        *self != Limits::default()
    }

    /// Returns an error if a plan needs more chunks than allowed.
    pub(crate) fn check_chunks(&self, needed: u64) -> Result<(), Error> {
        check_limit("chunks", needed, self.chunks)
    }

    /// Returns an error if a plan needs more requests or bytes than allowed. They are counted only if they have a limit.
    pub(crate) fn check_requests_and_bytes(
        &self,
        needed: impl FnOnce() -> Result<(usize, u64), Error>,
    ) -> Result<(), Error> {
        if (self.requests, self.bytes) == (None, None) {
            return Ok(());
        }
        let (requests, bytes) = needed()?;
        check_limit("requests", requests as u64, self.requests)?;
        check_limit("bytes", bytes, self.bytes)
    }

    /// Returns an error if a plan needs more memory than allowed. The memory is computed only if it has a limit.
    pub(crate) fn check_memory(
        &self,
        needed: impl FnOnce() -> Result<u64, Error>,
    ) -> Result<(), Error> {
        match self.memory {
            Some(_) => check_limit("bytes of memory", needed()?, self.memory),
            None => Ok(()),
        }
    }
}

fn check_limit(what: &'static str, needed: u64, limit: Option<u64>) -> Result<(), Error> {
    match limit.filter(|&limit| needed > limit) {
        Some(limit) => Err(Error::Limit {
            what,
            needed,
            limit,
        }),
        None => Ok(()),
    }
}

/// Options for reading or writing a slice.
///
/// # Example
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use slice_core::s;
/// use slice_zarr::{AccessOptions, ReadSlice};
/// # use std::sync::Arc;
/// # use zarrs::array::{ArrayBuilder, data_type};
/// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
/// # let array = ArrayBuilder::new(vec![4, 6], vec![2, 2], data_type::uint8(), 7_u8).build(store, "/")?;
///
/// let stop = AtomicBool::new(false); // set it from another thread
/// let options = AccessOptions::new()
///     .workers(2)
///     .merge_gap(1 << 20)
///     .batch(64 << 20)
///     .max_chunk(1 << 30) // the limits protect against wrong slices and wrong files
///     .max_requests(1000)
///     .max_bytes(1 << 30)
///     .max_memory(4 << 30)
///     .progress(&|progress| println!("{} of {}", progress.chunks, progress.of))
///     .cancel(&stop);
/// let (out, stats) = array.read_slice_with::<u8>(s![::2], &options)?;
/// assert_eq!((out.shape(), stats.chunks), (&[2, 6][..], 0)); // no chunk is stored yet
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct AccessOptions<'a> {
    pub(crate) workers: usize,
    pub(crate) merge_gap: u64,
    pub(crate) batch: u64,
    pub(crate) max_chunk: u64,
    pub(crate) limits: Limits,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(crate) cancel: Option<&'a AtomicBool>,
    pub(crate) deadline: Option<Instant>,
    /// Whether the size of an object is requested before the object itself.
    pub(crate) requests_size_first: bool,
}

impl Default for AccessOptions<'_> {
    fn default() -> Self {
        AccessOptions {
            workers: processors(),
            merge_gap: 32 << 10,
            batch: 512 << 10,
            max_chunk: 4 << 30,
            limits: Limits::default(),
            progress: None,
            cancel: None,
            deadline: None,
            requests_size_first: true,
        }
    }
}

/// Returns the number of processors available to this process. The operating system is queried only once, because a
/// query takes longer than reading a small chunk.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

impl fmt::Debug for AccessOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessOptions")
            .field("workers", &self.workers)
            .field("merge_gap", &self.merge_gap)
            .field("batch", &self.batch)
            .field("max_chunk", &self.max_chunk)
            .field("limits", &self.limits)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl<'a> AccessOptions<'a> {
    /// Returns the default options: one worker per processor, and a [merge gap](Self::merge_gap) and a
    /// [batch](Self::batch) size that suit a local disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns options for a distant store such as S3, which responds only after tens of milliseconds: 16 workers, a
    /// merge gap of 1 MiB, and batches of 64 MiB.
    #[must_use]
    pub fn far_away() -> Self {
        Self::new().workers(16).merge_gap(1 << 20).batch(64 << 20)
    }

    /// Sets the number of workers, each of which reads, decodes and copies one chunk at a time. The minimum is 1.
    ///
    /// For a [distant store](Self::far_away), use more workers than processors, because most of the workers wait for
    /// responses.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Sets the largest gap, in bytes, between two ranges that are merged into one request. The default is 32 KiB.
    ///
    /// The best value is the number of bytes that the store can send during the latency of a request: 32 KiB for files,
    /// whose latency is a few microseconds, and 1 to 2 MiB for [distant stores](Self::far_away). `benches/gap.rs`
    /// measures the best value. If most files are in the page cache, 8 KiB is faster.
    ///
    /// Reading from a shard takes only two requests, one of them for its index, if at most 8192 of its inner chunks are
    /// touched, no gap between the touched inner chunks is larger than the merge gap, and these inner chunks and gaps
    /// fit in one [batch](Self::batch).
    #[must_use]
    pub fn merge_gap(mut self, bytes: u64) -> Self {
        self.merge_gap = bytes;
        self
    }

    /// Sets the maximum number of encoded bytes of a shard that a worker requests and holds at a time. A larger inner
    /// chunk is requested on its own. The default is 512 KiB; [`far_away`](Self::far_away) sets 64 MiB, which the methods of
    /// asynchronous storage without options use, too.
    ///
    /// The bytes of a small batch stay in the second-level cache until they are decoded, and the allocator reuses their
    /// memory. For files, this saves more time than the additional requests cost.
    #[must_use]
    pub fn batch(mut self, bytes: u64) -> Self {
        self.batch = bytes;
        self
    }

    /// Sets the maximum size of a decoded chunk, in bytes. The default is 4 GiB. A read or write that touches larger
    /// chunks returns [`Error::Memory`].
    ///
    /// For a sharded array, the limit applies to inner chunks and shard indices in reads, and to whole shards in
    /// writes.
    #[must_use]
    pub fn max_chunk(mut self, bytes: u64) -> Self {
        self.max_chunk = bytes;
        self
    }

    /// Sets the maximum number of chunks (for a sharded array, of inner chunks) that a read may decode. There is no
    /// limit by default.
    ///
    /// If a slice or a plan touches more chunks, the read returns [`Error::Limit`] before anything is read. A long list
    /// easily touches thousands of chunks, and reading them from a distant store takes a long time.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, ReadSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![100, 10], vec![10, 10], data_type::uint8(), 7_u8).build(store, "/")?;
    ///
    /// let rows: Vec<usize> = (0..100).step_by(7).collect();
    /// let options = AccessOptions::new().max_chunks(5);
    /// let error = array.read_slice_with::<u8>(s![&rows], &options).unwrap_err();
    /// assert_eq!(error.to_string(), "the slice needs 10 chunks, more than the limit of 5; select less, or allow more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_chunks(mut self, chunks: usize) -> Self {
        self.limits.chunks = Some(chunks as u64);
        self
    }

    /// Sets the maximum number of requests that a read may make. There is no limit by default.
    ///
    /// If the plan of a read needs [more requests](crate::ReadPlan::requests_and_bytes), the read returns
    /// [`Error::Limit`] before anything is read. The number of requests for the inner chunks of a shard is known only
    /// after the index of the shard has been read. If these requests would exceed the limit, the read returns the same
    /// error before it makes them.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.limits.requests = Some(requests as u64);
        self
    }

    /// Sets the maximum number of bytes that a read may request. There is no limit by default.
    ///
    /// If the plan of a read needs [more bytes](crate::ReadPlan::requests_and_bytes), the read returns [`Error::Limit`]
    /// before anything is read. The plan counts a compressed chunk at its decoded size, because its compressed size is
    /// not known in advance. If a request for ranges would exceed the limit during the read, the read returns the same
    /// error instead of making the request.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Sets the maximum memory of a read, in bytes, including its output. There is no limit by default.
    ///
    /// If the plan of a read may need [more memory](crate::ReadPlan::peak_bytes), the read returns [`Error::Limit`]
    /// before anything is read.
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Sets a function that is called after each finished chunk (for a sharded array, after each finished shard).
    #[must_use]
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Sets a flag that cancels a read or write. Soon after the flag is set, the read or write returns
    /// [`Error::Cancelled`]. Values that have already been written to the output or to the array remain there.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Sets the time at which a read or write stops and returns [`Error::TimedOut`]. Values that have already been
    /// written to the output or to the array remain there.
    ///
    /// In asynchronous storage, reads and writes stop at the deadline without waiting for outstanding requests. In
    /// synchronous storage, they wait for outstanding requests, unless the store
    /// [checks the deadline](crate::Wanted::deadline).
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use slice_zarr::AccessOptions;
    ///
    /// let options = AccessOptions::far_away().deadline(Instant::now() + Duration::from_secs(60));
    /// # drop(options);
    /// ```
    #[must_use]
    pub fn deadline(mut self, time: Instant) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Returns a copy of the options for the workers of an asynchronous read or write, without the progress function
    /// and the cancellation flag. The size of an object is not requested first, so an object that is read as a whole
    /// takes only one request.
    #[cfg(feature = "async")]
    pub(crate) fn for_async_workers(&self) -> AccessOptions<'static> {
        AccessOptions {
            workers: self.workers,
            merge_gap: self.merge_gap,
            batch: self.batch,
            max_chunk: self.max_chunk,
            limits: self.limits,
            progress: None,
            cancel: None,
            deadline: self.deadline,
            requests_size_first: false,
        }
    }

    /// Returns an error if chunks of `bytes` bytes are larger than allowed, unless no chunk is touched.
    pub(crate) fn check_chunk(&self, touched_chunks: usize, bytes: u64) -> Result<(), Error> {
        if touched_chunks == 0 || bytes <= self.max_chunk {
            return Ok(());
        }
        let what = "a chunk";
        Err(Error::Memory { what, bytes })
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|time| Instant::now() >= time)
    }

    /// Converts an error of the store to [`Error::TimedOut`] if the deadline has passed. Any other error is returned
    /// unchanged.
    pub(crate) fn timed_out_if_late(&self, error: Error) -> Error {
        match &error {
            Error::Chunk { source, .. }
                if matches!(**source, ChunkError::Storage(_) | ChunkError::TimedOut)
                    && self.is_late() =>
            {
                Error::TimedOut
            }
            _ => error,
        }
    }

    pub(crate) fn check_cancel(&self) -> Result<(), Error> {
        match self.cancel {
            Some(flag) if flag.load(Ordering::Relaxed) => Err(Error::Cancelled),
            _ if self.is_late() => Err(Error::TimedOut),
            _ => Ok(()),
        }
    }
}
