//! Computes the requests, bytes and memory that a plan needs, before the plan is run.

use crate::array::error::Error;
use crate::array::options::AccessOptions;
use crate::array::plan::PlannedSlice;
use crate::array::read::counts::count;
use crate::array::read::piece::{MAX_INNER_CHUNKS_AT_ONCE, piece_bytes};
use crate::array::read::requests::held_by_ranges;
use crate::chunks::grouped::Check;
use crate::chunks::{ChunkPlan, list_bytes};
use crate::read_plan::ReadPlan;

/// A bound on the memory, in bytes, in which a worker gathers the moves of a list while it copies their elements.
pub(crate) const LIST_COPY_BYTES: u64 = 64 << 10;

/// Returns an error if a plan needs more than the options allow. Beginning with the cheapest, only the quantities with a
/// limit are computed.
pub(crate) fn check_limits(plan: &ReadPlan, options: &AccessOptions<'_>) -> Result<(), Error> {
    let limits = options.limits;
    limits.check_chunks(plan.inner_chunks() as u64)?;
    let check = || options.check_cancel();
    limits.check_requests_and_bytes(|| count_requests(plan, options, &check))?;
    limits.check_memory(|| peak_bytes(plan, options, &check))
}

/// Returns an error if a slice needs more than the options allow. Must be called before the output is allocated.
pub(crate) fn check_slice(plan: &PlannedSlice, options: &AccessOptions<'_>) -> Result<(), Error> {
    if !options.limits.is_any_set() {
        return Ok(());
    }
    options.limits.check_chunks(plan.chunks.units() as u64)?;
    check_limits(&read_plan(plan, options)?, options)
}

/// Returns an error if a slice that is first read to another array of `bytes` bytes, in addition to its output, needs more
/// memory than the options allow. Must be called before this array is allocated.
pub(crate) fn check_additional_memory(
    plan: &PlannedSlice,
    bytes: u64,
    options: &AccessOptions<'_>,
) -> Result<(), Error> {
    options.limits.check_memory(|| {
        let plan = read_plan(plan, options)?;
        let peak_bytes = peak_bytes(&plan, options, &|| options.check_cancel())?;
        Ok(peak_bytes.saturating_add(bytes))
    })
}

fn read_plan(plan: &PlannedSlice, options: &AccessOptions<'_>) -> Result<ReadPlan, Error> {
    let selection = plan.chunks.selection().clone();
    let array = plan.stored.description();
    ReadPlan::new_unless_stopped(array, selection, &|| options.check_cancel())
}

impl ReadPlan {
    /// Returns the number of requests, and the number of requested bytes, of a read with these options.
    ///
    /// For an uncompressed array that is not sharded, both numbers are exact if no chunk is missing: they count the
    /// ranges that hold selected elements, merged where they are [close](AccessOptions::merge_gap). If three axes have long
    /// lists, or a dozen axes end with a shorter chunk, both numbers are estimates. For other arrays, the
    /// number of requests is one for each chunk or two for each shard, and the number of bytes is the
    /// [maximum](ReadPlan::max_bytes). A shard needs more requests if its ranges are too far apart to be merged or do
    /// not fit in one [batch](AccessOptions::batch), or if more than 8192 of its inner chunks are touched.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_zarr::{AccessOptions, PlanSlice};
    /// # use std::sync::Arc;
    /// # use zarrs::array::{ArrayBuilder, data_type};
    /// # let store = Arc::new(zarrs::storage::store::MemoryStore::new());
    /// # let array = ArrayBuilder::new(vec![100, 10], vec![50, 10], data_type::uint8(), 7_u8).build(store, "/")?;
    ///
    /// let plan = array.plan_slice(s![[80, 3, 4, 20]])?;
    /// // Rows 3 and 4 are adjacent, so one request reads both.
    /// assert_eq!(plan.requests_and_bytes(&AccessOptions::new().merge_gap(0)), (3, 40));
    /// assert_eq!(plan.requests_and_bytes(&AccessOptions::new()), (2, 190));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn requests_and_bytes(&self, options: &AccessOptions<'_>) -> (usize, u64) {
        let counts = count_requests(self, options, &|| Ok(()));
        counts.expect("counting should succeed unless it is cancelled")
    }

    /// Returns an upper bound on the memory, in bytes, held while a part of the plan is read with these options. The
    /// bound includes:
    ///
    /// - the output of the plan;
    /// - for each worker, one chunk (for a sharded array, one inner chunk), both encoded and decoded;
    /// - for each worker, if the array is sharded, also the index of a shard, a [batch](AccessOptions::batch) of encoded
    ///   bytes, and the ranges of the next 8192 inner chunks;
    /// - for each worker, if elements are read from uncompressed chunks in ranges, 256 bytes for each range, of which at
    ///   most 4096 are held at a time, and the lists of the positions in a chunk;
    /// - for each worker, if the slice has lists, 64 KiB to copy the selected elements;
    /// - lists: at most 24 bytes for each position, and 8 bytes for each chunk that a list touches along its axis.
    ///
    /// If a list has several axes, and a read fills a view in which the elements along these axes are not evenly spaced, the
    /// read needs memory for a second output, which [`max_memory`](AccessOptions::max_memory) includes.
    ///
    /// The bound holds for any content of the store, because the read returns an error instead of reading an object
    /// that is larger than the codecs of the array allow.
    pub fn peak_bytes(&self, options: &AccessOptions<'_>) -> u64 {
        let bytes = peak_bytes(self, options, &|| Ok(()));
        bytes.expect("computing should succeed unless it is cancelled")
    }
}

/// Returns the numbers of requests and bytes. Calls `check` repeatedly, and returns its first error.
fn count_requests(
    plan: &ReadPlan,
    options: &AccessOptions<'_>,
    check: &dyn Fn() -> Result<(), Error>,
) -> Result<(usize, u64), Error> {
    let array = plan.array();
    if !array.uncompressed || array.inner_chunk_shape.is_some() {
        return Ok((plan.requests(), plan.max_bytes()));
    }
    let (mut requests, mut bytes) = (0_u128, 0_u128);
    for part in plan.parts() {
        let counts = count(&part.chunks(), array.item_size, options.merge_gap, check)?;
        requests = requests.saturating_add(counts.requests);
        bytes = bytes.saturating_add(counts.bytes);
    }
    Ok((
        requests.try_into().unwrap_or(usize::MAX),
        bytes.try_into().unwrap_or(u64::MAX),
    ))
}

/// Returns a bound on the memory of a read. Calls `check` repeatedly, and returns its first error.
fn peak_bytes(
    plan: &ReadPlan,
    options: &AccessOptions<'_>,
    check: Check<'_, Error>,
) -> Result<u64, Error> {
    let array = plan.array();
    let (unit_requests, unit_positions) = unit_costs(plan, options, check)?;
    let piece_bytes = piece_bytes(array.shape.len()).saturating_add(unit_positions);
    let mut worker_bytes = match array.chunk_memory {
        // The memory needed for a chunk is unknown. This bound allows for a decoded chunk, and for an encoded chunk
        // that is larger than the decoded chunk by a quarter plus 1 KiB, because codecs may enlarge incompressible
        // data.
        0 => array
            .decoded_bytes()
            .saturating_mul(9)
            .saturating_div(4)
            .saturating_add(1024),
        bytes => bytes,
    };
    if array.inner_chunk_shape.is_some() {
        let grid = array.chunk_shape.iter().zip(array.decoded_shape());
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
            .saturating_add(pieces.saturating_mul(piece_bytes))
            .saturating_add(held_by_ranges(unit_requests.saturating_mul(pieces)));
    } else {
        worker_bytes = worker_bytes
            .saturating_add(unit_positions)
            .saturating_add(held_by_ranges(unit_requests));
    }
    if plan.has_lists() {
        worker_bytes = worker_bytes.saturating_add(LIST_COPY_BYTES);
    }
    let workers = (options.workers as u64).min(plan.inner_chunks() as u64);
    let lists = max_list_bytes(plan, check)?;
    let bytes = plan.output_bytes().saturating_add(lists);
    Ok(bytes.saturating_add(worker_bytes.saturating_mul(workers)))
}

/// Returns a bound on the number of requests for a decoding unit, and on the memory, in bytes, held by the lists of its
/// positions.
fn unit_costs(
    plan: &ReadPlan,
    options: &AccessOptions<'_>,
    check: Check<'_, Error>,
) -> Result<(u64, u64), Error> {
    let array = plan.array();
    if !array.uncompressed {
        return Ok((1, 0));
    }
    let unit = array.decoded_shape();
    let (mut requests, mut bytes) = (1, 0);
    for part in plan.parts() {
        check()?;
        let counts = ChunkPlan::in_units(part.selection(), unit, unit, check);
        let counts =
            counts.and_then(|units| count(&units, array.item_size, options.merge_gap, check));
        check()?;
        let (part_requests, part_positions) = counts.map_or((u128::MAX, u128::MAX), |counts| {
            (counts.max_requests, counts.max_positions)
        });
        requests = requests.max(part_requests);
        if plan.has_lists() {
            bytes = bytes.max(part_positions.saturating_mul(size_of::<usize>() as u128));
        }
    }
    let capped = |number: u128| u64::try_from(number).unwrap_or(u64::MAX);
    Ok((capped(requests), capped(bytes)))
}

/// Returns a bound on the memory, in bytes, held for lists while a part is read: the selected positions, grouped by
/// chunk, and their positions in the result.
fn max_list_bytes(plan: &ReadPlan, check: Check<'_, Error>) -> Result<u64, Error> {
    let held = |selection| {
        let (chunk_shape, unit_shape) = (&plan.array().chunk_shape, plan.array().decoded_shape());
        let chunks = ChunkPlan::in_units(selection, chunk_shape, unit_shape, check);
        chunks.map_or(u64::MAX, |chunks| chunks.held_bytes())
    };
    // A read of no elements also groups the lists.
    let mut max_bytes = match plan.is_empty() {
        true => held(plan.selection()),
        false => 0,
    };
    for part in plan.parts() {
        check()?;
        let positions = list_bytes(&part.output());
        max_bytes = max_bytes.max(held(part.selection()).saturating_add(positions));
    }
    check()?;
    Ok(max_bytes)
}
