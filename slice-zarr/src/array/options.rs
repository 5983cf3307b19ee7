//! Options of a read: the number of workers, the memory, the time, progress and cancellation.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Instant;

use crate::array::error::{ChunkError, Error};
use crate::array::plan::Planned;

/// The progress of a read or a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// The number of finished chunks of the grid.
    pub chunks: usize,
    /// The total number of these chunks.
    pub of: usize,
}

/// The limits of a read, which is refused if its plan exceeds one of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    chunks: Option<u64>,
    requests: Option<u64>,
    bytes: Option<u64>,
    memory: Option<u64>,
}

impl Limits {
    /// Returns `true` if any limit is set.
    pub(crate) fn any(&self) -> bool {
        *self != Limits::default()
    }

    /// Returns the limits of requests and of bytes.
    pub(crate) fn traffic(&self) -> [u64; 2] {
        [self.requests, self.bytes].map(|limit| limit.unwrap_or(u64::MAX))
    }

    /// Checks the chunks, requests, bytes and memory of a plan.
    pub(crate) fn check(&self, needed: [u64; 4]) -> Result<(), Error> {
        let limits = [self.chunks, self.requests, self.bytes, self.memory];
        let names = ["chunks", "requests", "bytes", "bytes of memory"];
        for ((what, needed), limit) in names.into_iter().zip(needed).zip(limits) {
            if let Some(limit) = limit.filter(|&limit| needed > limit) {
                return Err(Error::Limit {
                    what,
                    needed,
                    limit,
                });
            }
        }
        Ok(())
    }
}

/// Options of reading or writing a slice.
///
/// # Example
///
/// ```
/// use slice_zarr::ReadOptions;
///
/// let options = ReadOptions::new().workers(2).merge_gap(1 << 20);
/// # drop(options);
/// ```
#[derive(Clone, Copy)]
pub struct ReadOptions<'a> {
    pub(crate) workers: usize,
    pub(crate) merge_gap: u64,
    pub(crate) batch: u64,
    pub(crate) max_chunk: u64,
    pub(crate) limits: Limits,
    pub(crate) progress: Option<&'a (dyn Fn(Progress) + Sync)>,
    pub(crate) cancel: Option<&'a AtomicBool>,
    pub(crate) deadline: Option<Instant>,
    /// Whether the size of an object is requested before the object.
    pub(crate) sized: bool,
}

impl Default for ReadOptions<'_> {
    fn default() -> Self {
        ReadOptions {
            workers: processors(),
            merge_gap: 32 << 10,
            batch: 512 << 10,
            max_chunk: 4 << 30,
            limits: Limits::default(),
            progress: None,
            cancel: None,
            deadline: None,
            sized: true,
        }
    }
}

/// Returns the number of processors available to this process. The number is queried only once, because a query takes
/// longer than reading a small chunk.
fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, NonZeroUsize::get))
}

impl fmt::Debug for ReadOptions<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReadOptions")
            .field("workers", &self.workers)
            .field("merge_gap", &self.merge_gap)
            .field("batch", &self.batch)
            .field("max_chunk", &self.max_chunk)
            .field("limits", &self.limits)
            .field("deadline", &self.deadline)
            .finish_non_exhaustive()
    }
}

impl<'a> ReadOptions<'a> {
    /// Returns the default options: one worker per processor, and a gap between merged ranges that suits a local disk.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns options for a distant store, such as S3, whose responses begin after tens of milliseconds: 16 workers,
    /// a merge gap of 1 MiB, and batches of 64 MiB.
    #[must_use]
    pub fn far_away() -> Self {
        Self::new().workers(16).merge_gap(1 << 20).batch(64 << 20)
    }

    /// Sets the number of chunks that are read, decoded and copied at the same time; at least 1.
    ///
    /// If the store is [far away](Self::far_away), more workers than processors are faster.
    #[must_use]
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = workers.max(1);
        self
    }

    /// Sets the largest gap in bytes between two ranges that are merged into one request; 32 KiB by default.
    ///
    /// The best value is the number of bytes that the store can send during the latency of a request: 32 KiB for files,
    /// which respond within microseconds, and 1 to 2 MiB for stores that are [far away](Self::far_away).
    /// `benches/gap.rs` measures it. A shard is read with two requests, one of them for its index, if no gap between
    /// its selected inner chunks is larger than this value and they fit in one [batch](Self::batch).
    #[must_use]
    pub fn merge_gap(mut self, bytes: u64) -> Self {
        self.merge_gap = bytes;
        self
    }

    /// Sets the number of encoded bytes of a shard that a worker requests and holds at once, unless a single inner chunk
    /// is larger; 512 KiB by default, and 64 MiB for stores that are [far away](Self::far_away).
    ///
    /// The bytes of a small batch stay in the second-level cache until they are decoded, and the allocator reuses their
    /// memory. For files, this saves more time than the additional requests take.
    #[must_use]
    pub fn batch(mut self, bytes: u64) -> Self {
        self.batch = bytes;
        self
    }

    /// Sets the largest size of a decoded chunk in bytes; 4 GiB by default. Arrays with larger chunks are refused.
    ///
    /// For a sharded array, the limit applies to inner chunks in reads and to shards in writes.
    #[must_use]
    pub fn max_chunk(mut self, bytes: u64) -> Self {
        self.max_chunk = bytes;
        self
    }

    /// Sets the largest number of chunks, or of inner chunks of a sharded array, that a read may decode. No limit by
    /// default.
    ///
    /// A slice or a plan that touches more chunks is refused with [`Error::Limit`] before anything is read. Long lists
    /// easily touch thousands of chunks, which is slow if the store is far away.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{ReadOptions, ReadSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![100, 10], vec![10, 10], data_type::uint8(), 7_u8).build(store, "/")?;
    ///
    /// let rows: Vec<usize> = (0..100).step_by(7).collect();
    /// let options = ReadOptions::new().max_chunks(5);
    /// let error = array.read_slice_with::<u8>(s![&rows], &options).unwrap_err();
    /// assert_eq!(error.to_string(), "the slice needs 10 chunks, more than the limit of 5; select less, or allow more");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn max_chunks(mut self, chunks: usize) -> Self {
        self.limits.chunks = Some(chunks as u64);
        self
    }

    /// Sets the largest number of requests that a read may make. No limit by default.
    ///
    /// A read is refused with [`Error::Limit`] if its plan needs [more](crate::RunPlan::requests_and_bytes). The number
    /// of requests for the inner chunks of a shard is known only after its index is read. The read then stops with this
    /// error before the request that exceeds the limit.
    #[must_use]
    pub fn max_requests(mut self, requests: usize) -> Self {
        self.limits.requests = Some(requests as u64);
        self
    }

    /// Sets the largest number of bytes that a read may request. No limit by default.
    ///
    /// A read is refused with [`Error::Limit`] if its plan needs [more](crate::RunPlan::requests_and_bytes). The plan
    /// counts the bytes of chunks without compression. A running read stops before a request that exceeds the limit.
    #[must_use]
    pub fn max_bytes(mut self, bytes: u64) -> Self {
        self.limits.bytes = Some(bytes);
        self
    }

    /// Sets the largest amount of memory in bytes that a read may use, including its output. No limit by default.
    ///
    /// A read is refused with [`Error::Limit`] if its plan may need [more](crate::RunPlan::peak_bytes).
    #[must_use]
    pub fn max_memory(mut self, bytes: u64) -> Self {
        self.limits.memory = Some(bytes);
        self
    }

    /// Sets a function that the workers call after each chunk of the grid.
    #[must_use]
    pub fn progress(mut self, progress: &'a (dyn Fn(Progress) + Sync)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Sets a flag that cancels a read or write, which fails with [`Error::Cancelled`] soon after the flag is set.
    /// Values already written to the output stay there.
    #[must_use]
    pub fn cancel(mut self, flag: &'a AtomicBool) -> Self {
        self.cancel = Some(flag);
        self
    }

    /// Sets the time at which a read or write stops with [`Error::TimedOut`]. Values already written to the output stay
    /// there.
    ///
    /// Reads of asynchronous storage stop at once, in any store. Other reads stop after the outstanding requests are
    /// answered, unless the store [checks the deadline](crate::Wanted::deadline).
    ///
    /// # Example
    ///
    /// ```
    /// use std::time::{Duration, Instant};
    ///
    /// use slice_zarr::ReadOptions;
    ///
    /// let options = ReadOptions::far_away().deadline(Instant::now() + Duration::from_secs(60));
    /// # drop(options);
    /// ```
    #[must_use]
    pub fn deadline(mut self, time: Instant) -> Self {
        self.deadline = Some(time);
        self
    }

    /// Returns these options for asynchronous storage, without progress and cancellation. The size of an object is not
    /// requested first, so an object that is read as a whole needs one request.
    #[cfg(feature = "async")]
    pub(crate) fn settings(&self) -> ReadOptions<'static> {
        ReadOptions {
            workers: self.workers,
            merge_gap: self.merge_gap,
            batch: self.batch,
            max_chunk: self.max_chunk,
            limits: self.limits,
            progress: None,
            cancel: None,
            deadline: self.deadline,
            sized: false,
        }
    }

    pub(crate) fn check_chunk(&self, plan: &Planned, bytes: u64) -> Result<(), Error> {
        if plan.chunks().len() == 0 || bytes <= self.max_chunk {
            return Ok(());
        }
        let what = "a chunk";
        Err(Error::Memory { what, bytes })
    }

    pub(crate) fn is_late(&self) -> bool {
        self.deadline.is_some_and(|time| Instant::now() >= time)
    }

    /// Returns [`Error::TimedOut`] for an error of the store after the deadline, and other errors unchanged.
    pub(crate) fn late(&self, error: Error) -> Error {
        match &error {
            Error::Chunk { source, .. }
                if matches!(**source, ChunkError::Storage(_)) && self.is_late() =>
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
