//! Distributes the jobs of a read among its workers: opening chunks, fetching bytes, and decoding and copying
//! [pieces](super::piece). Each chunk is read once.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use ndarray::{ArrayViewMut, Axis, IxDyn};
use slice_core::{ResolvedStep, Selection, StridedSliceExt};
use zarrs::array::Array;
use zarrs::storage::ReadableStorageTraits;

use crate::array::codecs::Content;
use crate::array::codecs::scratch::Scratch;
use crate::array::element::Unit;
use crate::array::error::Error;
use crate::array::options::AccessOptions;
use crate::array::plan::PlannedSlice;
use crate::array::read::fetch::FetchedPiece;
use crate::array::read::limits::{LIST_COPY_BYTES, check_additional_memory};
use crate::array::read::lists::bands::Bands;
use crate::array::read::lists::output_positions::OutputPositions;
use crate::array::read::opened::{Batch, OpenedChunk, ShardToRead};
use crate::array::read::output::{Output, Splitter};
use crate::array::read::piece::{Target, with_last_axis};
use crate::array::read::reader::{Reader, StoredChunk};
use crate::array::read::zeros;
use crate::array::stats::Stats;
use crate::array::workers::{JobQueue, run_jobs};
use crate::chunks::list_bytes;
use crate::chunks::parts::ChunkParts;

/// The remaining chunks, batches and pieces of a read.
struct ReadQueue<'a, U> {
    parts: ChunkParts<'a>,
    output: Output<'a, U>,
    batches: Vec<Batch<'a, U>>,
    /// Shards with remaining inner chunks: at most one per worker, because a worker opens another shard only if this
    /// list is empty.
    shards: Vec<ShardToRead<'a, U>>,
    fetched_pieces: VecDeque<FetchedPiece<'a, U>>,
}

/// A step of a read, performed by one worker.
enum ReadJob<'a, U> {
    /// Decodes and copies a fetched piece.
    Finish(FetchedPiece<'a, U>),
    Fetch(Batch<'a, U>),
    /// Determines the requests for more inner chunks of a shard.
    OpenMore(Box<ShardToRead<'a, U>>),
    Open(Target<'a, U>),
}

/// The outcome of a job.
struct ReadOutcome<'a, U> {
    chunk: Arc<StoredChunk>,
    /// The number of completed pieces.
    pieces: usize,
    fetched_pieces: Vec<FetchedPiece<'a, U>>,
    batches: Vec<Batch<'a, U>>,
    shard: Option<Box<ShardToRead<'a, U>>>,
}

impl<'a, U> ReadOutcome<'a, U> {
    fn new(chunk: Arc<StoredChunk>) -> Self {
        ReadOutcome {
            chunk,
            pieces: 0,
            fetched_pieces: Vec::new(),
            batches: Vec::new(),
            shard: None,
        }
    }
}

impl<'a, U: Unit> JobQueue for ReadQueue<'a, U> {
    type Job = ReadJob<'a, U>;
    type Outcome = ReadOutcome<'a, U>;

    /// Returns fetched pieces first, so that their bytes are held as briefly as possible.
    fn next(&mut self) -> Option<Self::Job> {
        if let Some(piece) = self.fetched_pieces.pop_front() {
            Some(ReadJob::Finish(piece))
        } else if let Some(batch) = self.batches.pop() {
            Some(ReadJob::Fetch(batch))
        } else if let Some(shard) = self.shards.pop() {
            Some(ReadJob::OpenMore(Box::new(shard)))
        } else {
            let selected = self.parts.next()?;
            let region = self.output.next(&selected.axes);
            Some(ReadJob::Open(Target { selected, region }))
        }
    }

    fn add_outcome(&mut self, outcome: Self::Outcome) -> usize {
        self.fetched_pieces.extend(outcome.fetched_pieces);
        self.batches.extend(outcome.batches);
        self.shards.extend(outcome.shard.map(|shard| *shard));
        let pieces_left = &outcome.chunk.pieces_left;
        usize::from(pieces_left.fetch_sub(outcome.pieces, Ordering::Relaxed) == outcome.pieces)
    }
}

/// Reads a planned slice into `output` or, if `region` is given, into this selection of `output`. The caller must have
/// checked the limits.
pub(crate) fn read<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &PlannedSlice,
    mut output: ArrayViewMut<'_, U, IxDyn>,
    region: Option<&Selection>,
    options: &AccessOptions<'_>,
) -> Result<Stats, Error> {
    let counts = axis_counts(plan, region);
    if let Some(merged) = with_merged_axes(output.view_mut(), &counts) {
        return read_merged(array, plan, merged, region, options);
    }
    // Axes that the plan treats as one are not contiguous in the output, so the slice is first read to a new array.
    let units = output.shape().get(counts.iter().sum::<usize>());
    let bytes = plan.output_bytes();
    check_additional_memory(plan, bytes, options)?;
    let mut values = zeros::<U>(plan.shape(), units.copied().unwrap_or(1))?;
    let merged = with_merged_axes(values.view_mut(), &axis_counts(plan, None));
    let merged = merged.expect("the axes of a new array should be contiguous");
    let stats = read_merged(array, plan, merged, None, options)?;
    match (region, units) {
        (None, _) => output.assign(&values),
        (Some(region), None) => output.try_set(region, &values)?,
        (Some(region), Some(&units)) => output.try_set(with_last_axis(region, units)?, &values)?,
    }
    Ok(Stats {
        peak_bytes: stats.peak_bytes + bytes,
        ..stats
    })
}

/// Returns the number of axes of an output for each of its axes in the plan. If `region` is given, the plan fills only
/// this selection of the output.
fn axis_counts(plan: &PlannedSlice, region: Option<&Selection>) -> Vec<usize> {
    match (region, plan.chunks.joined_axes()) {
        (Some(region), _) => {
            let steps = region.resolved_steps();
            let counts = steps.map(|step| match step {
                ResolvedStep::List(list) => list.axes(),
                _ => 1,
            });
            counts.collect()
        }
        (None, Some(joined_axes)) => joined_axes.output.to_vec(),
        (None, None) => vec![1; plan.shape().len()],
    }
}

/// Merges each of the `counts` neighboring axes of an output into one axis. Returns `None` if they are not contiguous.
fn with_merged_axes<'v, U>(
    mut output: ArrayViewMut<'v, U, IxDyn>,
    counts: &[usize],
) -> Option<ArrayViewMut<'v, U, IxDyn>> {
    // No part fills an empty output.
    if output.is_empty() {
        return Some(output);
    }
    for (axis, &count) in counts.iter().enumerate() {
        for _ in 1..count {
            if !output.merge_axes(Axis(axis), Axis(axis + 1)) {
                return None;
            }
            output = output.index_axis_move(Axis(axis), 0);
        }
    }
    Some(output)
}

/// Reads a planned slice into `output`, or into its selection `region`. The output has one axis for each axis of the plan's
/// result.
fn read_merged<U: Unit, S: ?Sized + ReadableStorageTraits + 'static>(
    array: &Array<S>,
    plan: &PlannedSlice,
    output: ArrayViewMut<'_, U, IxDyn>,
    region: Option<&Selection>,
    options: &AccessOptions<'_>,
) -> Result<Stats, Error> {
    let stored = &*plan.stored;
    let index_bytes = match stored.content() {
        Content::Shard(shard) => shard.index_bytes,
        _ => 0,
    };
    options.check_chunk(
        plan.chunks.len(),
        stored.unit_codecs().decoded_bytes().max(index_bytes),
    )?;
    let reader = Reader::new(array, stored, options)?;
    let tally = reader.tally.clone();
    tally.hold(plan.output_bytes());
    let chunks = &plan.chunks;
    let bands;
    let fills_blocks = region.is_none() && chunks.selection().is_strided();
    let output = if fills_blocks {
        Output::Blocks(Splitter::new(chunks, output))
    } else {
        let positions = region.map_or_else(OutputPositions::default, OutputPositions::new);
        let held = region.map_or(0, list_bytes);
        tally.hold(chunks.held_bytes().saturating_add(held));
        bands = Bands::new(output, chunks.orthogonal().output_shape().len(), positions);
        Output::Lists(&bands)
    };
    let queue = ReadQueue {
        parts: chunks.parts(),
        output,
        batches: Vec::new(),
        shards: Vec::new(),
        fetched_pieces: VecDeque::new(),
    };
    let inner_per_chunk = chunks.units() / chunks.len().max(1);
    let pieces = chunks.len().saturating_mul(inner_per_chunk.max(1));
    let workers = options.workers.min(pieces);
    if !fills_blocks {
        tally.hold(LIST_COPY_BYTES.saturating_mul(workers as u64));
    }
    run_jobs(queue, workers, chunks.len(), options, |job, scratch| {
        reader.run_job(job, scratch)
    })?;
    Ok(tally.stats())
}

impl Reader<'_> {
    fn run_job<'a, U: Unit>(
        &self,
        job: ReadJob<'a, U>,
        scratch: &mut Scratch,
    ) -> Result<ReadOutcome<'a, U>, Error> {
        let chunk = match &job {
            ReadJob::Finish(piece) => piece.chunk.clone(),
            ReadJob::Fetch(batch) => batch.chunk.clone(),
            ReadJob::OpenMore(shard) => shard.chunk.clone(),
            ReadJob::Open(Target { selected, .. }) => {
                Arc::new(self.chunk(selected.chunk().map(|k| k as u64).collect())?)
            }
        };
        let failed = |error| chunk.failed(error);
        let mut outcome = ReadOutcome::new(chunk.clone());
        match job {
            ReadJob::Finish(piece) => {
                self.finish(piece, scratch).map_err(failed)?;
                outcome.pieces = 1;
            }
            ReadJob::Fetch(batch) => outcome.fetched_pieces = self.fetch_batch(batch)?,
            ReadJob::OpenMore(mut shard) => {
                let opened = self.open_more(&mut shard).map_err(failed)?;
                (outcome.pieces, outcome.batches) = opened;
                outcome.shard = shard.has_more().then_some(shard);
            }
            ReadJob::Open(target) => match self.open(&chunk, target).map_err(failed)? {
                OpenedChunk::Batch(batch) => {
                    let fetched_pieces = self.fetch_batch(batch)?;
                    outcome.pieces = fetched_pieces.len();
                    for piece in fetched_pieces {
                        self.options.check_cancel()?;
                        self.finish(piece, scratch).map_err(failed)?;
                    }
                }
                OpenedChunk::Shard(shard) => outcome.shard = Some(shard),
                OpenedChunk::Missing => {}
            },
        }
        Ok(outcome)
    }
}
