//! Computes the requests, bytes and memory that a plan needs, before the plan is run.

use crate::array::error::Error;
use crate::array::options::ReadOptions;
use crate::array::read::lists::output_positions::OutputPositions;
use crate::array::read::lists::ranges::ListRuns;
use crate::array::read::piece::{MAX_INNER_CHUNKS_AT_ONCE, piece_bytes};
use crate::array::read::requests::merge_ranges;
use crate::chunks::lists::OuterChunkPlan;
use crate::read_plan::ReadPlan;

/// Returns an error if a plan needs more than the options allow.
pub(crate) fn check_limits(plan: &ReadPlan, options: &ReadOptions<'_>) -> Result<(), Error> {
    if !options.limits.is_any_set() {
        return Ok(());
    }
    let (requests, bytes) = requests_and_bytes(plan, options);
    let chunks = plan.inner_chunks() as u64;
    let memory = peak_bytes(plan, options);
    options
        .limits
        .check([chunks, requests as u64, bytes, memory])
}

/// Implements [`RunPlan::requests_and_bytes`](crate::RunPlan::requests_and_bytes).
pub(crate) fn requests_and_bytes(plan: &ReadPlan, options: &ReadOptions<'_>) -> (usize, u64) {
    let array = plan.array();
    if !array.uncompressed || array.inner_chunk_shape.is_some() {
        return (plan.requests(), plan.max_bytes());
    }
    let (shape, gap) = (&array.chunk_shape, options.merge_gap);
    let lens = shape.iter().map(|&len| len as u64);
    let chunk_bytes = lens.fold(array.item_size as u64, u64::saturating_mul);
    let (mut requests, mut bytes) = (0_usize, 0_u64);
    for part in plan.parts() {
        for chunk in part.chunks().parts() {
            let runs = ListRuns::new(&chunk.selected_positions(), shape, 0, array.item_size, gap);
            let Some(runs) = runs else {
                requests = requests.saturating_add(1);
                bytes = bytes.saturating_add(chunk_bytes);
                continue;
            };
            for range in merge_ranges(runs.ranges(), gap, u64::MAX) {
                requests = requests.saturating_add(1);
                bytes = bytes.saturating_add(range.end - range.start);
            }
        }
    }
    (requests, bytes)
}

/// Implements [`RunPlan::peak_bytes`](crate::RunPlan::peak_bytes).
pub(crate) fn peak_bytes(plan: &ReadPlan, options: &ReadOptions<'_>) -> u64 {
    let array = plan.array();
    let inner = array.inner_chunk_shape.as_ref();
    let shape = inner.unwrap_or(&array.chunk_shape);
    let bytes_of = |shape: &[usize]| {
        let lens = shape.iter().map(|&len| len as u64);
        lens.fold(array.item_size as u64, u64::saturating_mul)
    };
    let mut worker_bytes = match array.chunk_memory {
        // The memory needed for a chunk is unknown. This bound allows for a decoded chunk, and for an encoded chunk
        // that is larger than the decoded chunk by a quarter plus 1 KiB, because codecs may enlarge incompressible
        // data.
        0 => bytes_of(shape)
            .saturating_mul(9)
            .saturating_div(4)
            .saturating_add(1024),
        bytes => bytes,
    };
    if inner.is_some() {
        let grid = array.chunk_shape.iter().zip(shape);
        let grid = grid.map(|(chunk, inner)| (chunk / inner) as u64);
        let pieces = grid.fold(1, u64::saturating_mul);
        let shard_bytes = worker_bytes.saturating_mul(pieces);
        let index = array.index_bytes.saturating_mul(2);
        let pieces = pieces
            .min(MAX_INNER_CHUNKS_AT_ONCE as u64)
            .min(plan.inner_chunks() as u64);
        worker_bytes = worker_bytes
            .saturating_add(options.batch.min(shard_bytes))
            .saturating_add(index)
            .saturating_add(pieces * piece_bytes(array.shape.len()));
    }
    let workers = (options.workers as u64).min(plan.inner_chunks() as u64);
    plan.output_bytes()
        .saturating_add(max_list_bytes(plan))
        .saturating_add(worker_bytes.saturating_mul(workers))
}

/// Returns a bound on the memory, in bytes, held for lists while a part is read: the selected positions, grouped by
/// chunk, and their positions in the result.
fn max_list_bytes(plan: &ReadPlan) -> u64 {
    if plan.is_whole_or_empty() {
        return plan.list_bytes();
    }
    let array = plan.array();
    let unit = array.inner_chunk_shape.as_ref();
    let unit = unit.unwrap_or(&array.chunk_shape);
    let part_bytes = plan.parts().map(|part| {
        let output = part.output();
        let positions = OutputPositions::new(&output).held_bytes(&output);
        let chunks = OuterChunkPlan::in_units(part.selection(), &array.chunk_shape, unit);
        let held = chunks.map_or(u64::MAX, |chunks| chunks.held_bytes());
        held.saturating_add(positions)
    });
    part_bytes.max().unwrap_or(0)
}
