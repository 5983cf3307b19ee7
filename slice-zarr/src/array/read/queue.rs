//! Distributes the jobs of a read among its workers: opening chunks, fetching bytes, and decoding and copying pieces.
//! Each chunk is read once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ndarray::{ArrayViewMut, IxDyn};
use slice_core::OuterSelection;
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StorageHandle};

use crate::array::codecs::Inside;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Unit;
use crate::array::error::Error;
use crate::array::options::ReadOptions;
use crate::array::plan::{Chunks, Planned};
use crate::array::read::fetch::Ready;
use crate::array::read::limits::check_limits;
use crate::array::read::lists::bands::Bands;
use crate::array::read::lists::places::Places;
use crate::array::read::opened::{Batch, OpenShard, Opened};
use crate::array::read::output::Splitter;
use crate::array::read::parts::{Part, Parts};
use crate::array::read::reader::{Chunk, Reader};
use crate::array::read::tally::Tally;
use crate::array::stats::Stats;
use crate::array::storage::checked::Checked;
use crate::array::storage::keys::chunk_key;
use crate::array::workers::{Work, work};
use crate::read_plan::ReadPlan;

/// The remaining chunks, batches and pieces of a read.
struct Queue<'a, U> {
    parts: Parts<'a, U>,
    batches: Vec<Batch<'a, U>>,
    /// Shards with remaining inner chunks: at most one per worker, because a worker opens another shard only if this
    /// list is empty.
    shards: Vec<OpenShard<'a, U>>,
    ready: VecDeque<Ready<'a, U>>,
}

/// A step of a read that one worker performs.
enum Job<'a, U> {
    /// Decodes and copies a fetched piece.
    Finish(Ready<'a, U>),
    Fetch(Batch<'a, U>),
    /// Determines the requests for more inner chunks of a shard.
    More(Box<OpenShard<'a, U>>),
    Open(Vec<u64>, Part<'a, U>),
}

/// The outcome of a job.
struct Done<'a, U> {
    chunk: Arc<Chunk>,
    /// The number of completed pieces.
    pieces: usize,
    ready: Vec<Ready<'a, U>>,
    batches: Vec<Batch<'a, U>>,
    shard: Option<Box<OpenShard<'a, U>>>,
}

impl<'a, U> Done<'a, U> {
    fn pieces(chunk: &Arc<Chunk>, pieces: usize) -> Self {
        Done {
            chunk: chunk.clone(),
            pieces,
            ready: Vec::new(),
            batches: Vec::new(),
            shard: None,
        }
    }
}

impl<'a, U: Unit> Work for Queue<'a, U> {
    type Job = Job<'a, U>;
    type Done = Done<'a, U>;

    /// Returns fetched pieces first, so that their bytes are held as briefly as possible.
    fn next(&mut self) -> Option<Self::Job> {
        if let Some(ready) = self.ready.pop_front() {
            Some(Job::Finish(ready))
        } else if let Some(batch) = self.batches.pop() {
            Some(Job::Fetch(batch))
        } else if let Some(open) = self.shards.pop() {
            Some(Job::More(Box::new(open)))
        } else {
            let (indices, part) = self.parts.next()?;
            Some(Job::Open(indices, part))
        }
    }

    fn take(&mut self, done: Self::Done) -> usize {
        self.ready.extend(done.ready);
        self.batches.extend(done.batches);
        self.shards.extend(done.shard.map(|open| *open));
        let left = &done.chunk.left;
        usize::from(left.fetch_sub(done.pieces, Ordering::Relaxed) == done.pieces)
    }
}

/// Reads a planned slice into an output that has the shape of the slice.
pub(crate) fn read<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    output: ArrayViewMut<'_, U, IxDyn>,
    options: &ReadOptions<'_>,
) -> Result<Stats, Error> {
    read_to(array, plan, output, None, options)
}

/// Reads a planned slice into `output`, or into the selection `places` of `output`. In the second case, the slice must
/// have been planned by [`Planned::listed`].
pub(crate) fn read_to<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    output: ArrayViewMut<'_, U, IxDyn>,
    places: Option<&OuterSelection>,
    options: &ReadOptions<'_>,
) -> Result<Stats, Error> {
    let stored = plan.stored();
    let index_bytes = match stored.inside() {
        Inside::Shard(shard) => shard.index_bytes,
        _ => 0,
    };
    options.check_chunk(plan, stored.decoded().bytes().max(index_bytes))?;
    if options.limits.any() {
        let selection = plan.chunks().selection();
        check_limits(&ReadPlan::new(stored.described(), selection)?, options)?;
    }
    let storage = array
        .storage_transformers()
        .create_readable_transformer(Arc::new(StorageHandle::new(Arc::new(Checked::new(array)))))
        .map_err(|error| Error::Unsupported(error.to_string()))?;
    let tally = Arc::new(Tally::default());
    let filled = places.map_or(output.len(), OuterSelection::len);
    tally.hold((filled * size_of::<U>()) as u64);
    let reader = Reader {
        stored,
        storage,
        key: &|indices| chunk_key(array, indices),
        options,
        tally: tally.clone(),
    };
    let chunks = plan.chunks();
    let bands;
    let parts = match chunks {
        Chunks::Blocks(plan) => Parts::Blocks {
            parts: plan.parts(),
            output: Splitter::new(plan, output),
        },
        Chunks::Lists(plan) => {
            let placed = places.map_or_else(Places::default, Places::new);
            let held = places.map_or(0, |places| placed.held_bytes(places));
            tally.hold(plan.held_bytes().saturating_add(held));
            bands = Bands::new(output, placed);
            Parts::Lists {
                parts: plan.parts(),
                output: &bands,
            }
        }
    };
    let queue = Queue {
        parts,
        batches: Vec::new(),
        shards: Vec::new(),
        ready: VecDeque::new(),
    };
    let inner_per_chunk = plan.inner_chunks() / chunks.len().max(1);
    let pieces = chunks.len().saturating_mul(inner_per_chunk.max(1));
    let workers = options.workers.min(pieces);
    work(queue, workers, chunks.len(), options, |job, scratch| {
        reader.work(job, scratch)
    })?;
    Ok(Stats {
        chunks: tally.chunks.load(Ordering::Relaxed),
        requests: tally.requests.load(Ordering::Relaxed),
        bytes: tally.bytes.load(Ordering::Relaxed),
        peak_bytes: tally.peak.load(Ordering::Relaxed),
    })
}

impl Reader<'_> {
    /// Returns an error if the requests of a batch would exceed a limit.
    fn check_limits<U>(&self, batch: &Batch<'_, U>) -> Result<(), Error> {
        let [most_requests, most_bytes] = self.options.limits.traffic();
        let (requests, bytes) = match &batch.ranges {
            None => (1, 0),
            Some(ranges) => {
                let bytes = ranges.iter().map(|range| range.end - range.start);
                (ranges.len() as u64, bytes.sum())
            }
        };
        let made = self.tally.requests.load(Ordering::Relaxed) as u64;
        let read = self.tally.bytes.load(Ordering::Relaxed);
        for (what, needed, limit) in [
            ("requests", made.saturating_add(requests), most_requests),
            ("bytes", read.saturating_add(bytes), most_bytes),
        ] {
            if needed > limit {
                return Err(Error::Limit {
                    what,
                    needed,
                    limit,
                });
            }
        }
        Ok(())
    }

    fn work<'a, U: Unit>(
        &self,
        job: Job<'a, U>,
        scratch: &mut Scratch,
    ) -> Result<Done<'a, U>, Error> {
        let chunk = match &job {
            Job::Finish(ready) => ready.chunk.clone(),
            Job::Fetch(batch) => batch.chunk.clone(),
            Job::More(open) => open.chunk.clone(),
            Job::Open(indices, _) => {
                let key = (self.key)(indices)?;
                Arc::new(Chunk {
                    indices: indices.clone(),
                    key,
                    left: AtomicUsize::new(0),
                    object: Arc::default(),
                })
            }
        };
        if let Job::Fetch(batch) = &job {
            self.check_limits(batch)?;
        }
        let done = match job {
            Job::Finish(ready) => self
                .finish(ready, scratch)
                .map(|()| Done::pieces(&chunk, 1)),
            Job::Fetch(batch) => self.fetch_batch(batch).map(|ready| Done {
                ready,
                ..Done::pieces(&chunk, 0)
            }),
            Job::More(mut open) => self.open_more(&mut open).map(|(missing, batches)| Done {
                batches,
                shard: open.has_more().then_some(open),
                ..Done::pieces(&chunk, missing)
            }),
            Job::Open(_, part) => {
                let opened = self.open(&chunk, part);
                opened.map(|opened| match opened {
                    Opened::Batches(batches) => Done {
                        batches,
                        ..Done::pieces(&chunk, 0)
                    },
                    Opened::Shard(open) => Done {
                        shard: Some(open),
                        ..Done::pieces(&chunk, 0)
                    },
                })
            }
        };
        done.map_err(|error| chunk.failed(error))
    }
}
