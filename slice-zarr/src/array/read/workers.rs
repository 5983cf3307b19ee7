//! Several workers on one read: each chunk is fetched, decoded and copied once, by whichever is free.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::Builder;

use ndarray::{ArrayViewMut, IxDyn};
use zarrs::array::Array;
use zarrs::storage::{ReadableStorageTraits, StorageHandle};

use crate::array::codecs::decode::{Inside, Scratch};
use crate::array::element::Unit;
use crate::array::error::Error;
use crate::array::options::{Progress, ReadOptions};
use crate::array::plan::Planned;
use crate::array::read::fetch::{Batch, Chunk, OpenShard, Opened, Reader, Ready, Tally};
use crate::array::read::output::Splitter;
use crate::array::stats::Stats;
use crate::array::storage::checked::Checked;
use crate::array::storage::keys::chunk_key;
use crate::chunks::parts::ChunkParts;

/// The work that is left.
struct Work<'p, 'a, U> {
    parts: ChunkParts<'p>,
    output: Splitter<'a, U>,
    batches: Vec<Batch<'a, U>>,
    /// Shards with more inner chunks: as many as there are workers at most, because no other is opened before.
    shards: Vec<OpenShard<'a, U>>,
    ready: VecDeque<Ready<'a, U>>,
    /// Workers that may still add to `batches` or `ready`.
    fetching: usize,
    done: usize,
    error: Option<Error>,
}

pub(crate) fn read<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &Planned,
    output: ArrayViewMut<'_, U, IxDyn>,
    options: &ReadOptions<'_>,
) -> Result<Stats, Error> {
    let stored = plan.stored();
    let index_bytes = match stored.inside() {
        Inside::Shard(shard) => shard.index_bytes,
        _ => 0,
    };
    options.check_chunk(plan, stored.decoded().bytes().max(index_bytes))?;
    let storage = array
        .storage_transformers()
        .create_readable_transformer(Arc::new(StorageHandle::new(Arc::new(Checked::new(array)))))
        .map_err(|error| Error::Unsupported(error.to_string()))?;
    let tally = Arc::new(Tally::default());
    tally.hold((output.len() * size_of::<U>()) as u64);
    let reader = Reader {
        stored,
        storage,
        key: &|indices| chunk_key(array, indices),
        options,
        tally: tally.clone(),
        of: plan.chunks().len(),
    };
    let work = Mutex::new(Work {
        parts: plan.chunks().parts(),
        output: Splitter::new(plan.chunks(), output),
        batches: Vec::new(),
        shards: Vec::new(),
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
            // The system may have no more threads, or no memory for them; this one does the work too.
            if Builder::new().spawn_scoped(scope, worker).is_err() {
                break;
            }
        }
        worker();
    });
    let work = work
        .into_inner()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    match work.error {
        Some(error) => Err(options.late(error)),
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
            } else if let Some(mut open) = at.shards.pop() {
                drop(at);
                let chunk = open.chunk.clone();
                let more = self.open_more(&mut open);
                at = lock(work);
                more.map_err(|error| chunk.failed(error))
                    .map(|(missing, batches)| {
                        if missing > 0 {
                            self.settle(&mut at, &chunk, missing, Ok(()));
                        }
                        at.batches.extend(batches);
                        if open.has_more() {
                            at.shards.push(open);
                        }
                    })
            } else if let Some(part) = at.parts.next() {
                let view = at.output.next(&part);
                drop(at);
                let indices: Vec<u64> = part.chunk().map(|k| k as u64).collect();
                let opened = match (self.key)(&indices) {
                    Ok(key) => {
                        let chunk = Arc::new(Chunk {
                            indices,
                            key,
                            left: AtomicUsize::new(0),
                            object: Arc::default(),
                        });
                        let opened = self.open(&chunk, part.selection(), view);
                        let opened = opened.map_err(|error| chunk.failed(error));
                        opened.map(|opened| (chunk, opened))
                    }
                    Err(error) => Err(error),
                };
                at = lock(work);
                opened.map(|(chunk, opened)| match opened {
                    Opened::Batches(batches) if batches.is_empty() => {
                        self.settle(&mut at, &chunk, 0, Ok(()));
                    }
                    Opened::Batches(batches) => at.batches.extend(batches),
                    Opened::Shard(open) => at.shards.push(*open),
                })
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
}
