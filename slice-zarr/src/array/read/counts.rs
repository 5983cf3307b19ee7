//! Counts the requests and the bytes of a read of uncompressed chunks.
//!
//! The chunks are not visited. The ranges requested from a chunk depend only on the distances between the selected
//! positions on each axis of the chunk, and on most axes these distances are the same in almost all chunks. The counts
//! are therefore computed axis by axis, beginning with the last axis, for all chunks at once.

use std::collections::BTreeMap;

use crate::array::error::Error;
use crate::chunks::ChunkPlan;
use crate::chunks::axis::AxisPart;
use crate::chunks::part::distinct;

/// The maximum number of combinations of states and classes that are distinguished on an axis. If there are more, the
/// counts are estimates: states are combined that differ in the merging of ranges on later axes. This takes long lists
/// on three axes, or a dozen axes whose last chunk is shorter.
const MAX_COMBINATIONS: usize = 1 << 16;

/// The numbers of requests and of requested bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) requests: u128,
    pub(crate) bytes: u128,
    /// A bound on the number of requests for a single chunk.
    pub(crate) max_requests: u128,
    /// A bound on the number of distinct positions of a single chunk, added up over its axes.
    pub(crate) max_positions: u128,
}

/// The distances between neighboring positions on an axis of a chunk, in ascending order, each with the number of pairs
/// of neighbors at this distance. They determine the requested ranges.
type Distances = Vec<(u128, u128)>;

/// The ranges requested from the axes handled so far, for all chunks in which these axes have the same extent.
#[derive(Clone, Copy, Debug)]
struct State {
    /// Whether the ranges are still a single range, which may span further axes.
    is_one_range: bool,
    /// The number of bytes from the first to the last selected element.
    used: u128,
    /// The number of bytes from the begin of the first range to the end of the last one.
    len: u128,
    /// The number of chunks, and the sums over these chunks.
    chunks: u128,
    requests: u128,
    bytes: u128,
    lens: u128,
    /// A bound on the number of requests for a chunk.
    max_requests: u128,
}

/// Returns the numbers of requests and bytes for all touched chunks of a plan. Ranges are merged if at most `gap` bytes
/// lie between them. Calls `check` repeatedly, and returns its first error.
pub(crate) fn count(
    chunks: &ChunkPlan,
    item_size: usize,
    gap: u64,
    check: &dyn Fn() -> Result<(), Error>,
) -> Result<Counts, Error> {
    if chunks.is_empty() {
        return Ok(Counts::default());
    }
    let mut stride = item_size as u128;
    let mut axes = Vec::new();
    let chunk_shape = chunks.merged(chunks.chunk_shape());
    for (axis, &len) in chunk_shape.iter().enumerate().rev() {
        axes.push((stride, classes(chunks, axis, check)?));
        stride *= len as u128;
    }
    let mut states = vec![State {
        is_one_range: true,
        used: item_size as u128,
        len: item_size as u128,
        chunks: 1,
        requests: 1,
        bytes: item_size as u128,
        lens: item_size as u128,
        max_requests: 1,
    }];
    for at in 0..axes.len() {
        let (stride, classes) = &axes[at];
        // Ranges are merged up to this distance between positions if the ranges for one position span `len` bytes.
        let limit = |len: u128| (len + u128::from(gap)) / stride;
        let is_last = axes[at + 1..]
            .iter()
            .all(|(_, classes)| classes.keys().all(Vec::is_empty));
        if is_last || states.len().saturating_mul(classes.len()) > MAX_COMBINATIONS {
            states = combined(states, |state| {
                (state.is_one_range, [state.used, state.len].map(limit))
            });
        }
        let mut next = Vec::with_capacity(states.len() * classes.len());
        for state in &states {
            check()?;
            let after = classes.iter();
            next.extend(
                after.map(|(class, &count)| state.after_axis(class, count, *stride, limit)),
            );
        }
        states = combined(next, |state| (state.is_one_range, [state.used, state.len]));
    }
    let max_positions = axes.iter().map(|(_, classes)| {
        let positions = classes.keys().map(|class| positions_and_span(class).0);
        positions.max().unwrap_or(0)
    });
    let none = Counts {
        max_positions: max_positions.sum(),
        ..Counts::default()
    };
    Ok(states.iter().fold(none, |sum, state| Counts {
        requests: sum.requests.saturating_add(state.requests),
        bytes: sum.bytes.saturating_add(state.bytes),
        max_requests: sum.max_requests.max(state.max_requests),
        ..sum
    }))
}

/// Combines the states with equal keys.
fn combined(states: Vec<State>, key: impl Fn(&State) -> (bool, [u128; 2])) -> Vec<State> {
    let mut combined: BTreeMap<_, State> = BTreeMap::new();
    for state in states {
        combined
            .entry(key(&state))
            .and_modify(|other| {
                other.chunks = other.chunks.saturating_add(state.chunks);
                other.requests = other.requests.saturating_add(state.requests);
                other.bytes = other.bytes.saturating_add(state.bytes);
                other.lens = other.lens.saturating_add(state.lens);
                other.max_requests = other.max_requests.max(state.max_requests);
            })
            .or_insert(state);
    }
    combined.into_values().collect()
}

impl State {
    /// Returns the state after the next outer axis, for `count` chunks of this axis with the positions `class`.
    fn after_axis(
        &self,
        class: &Distances,
        count: u128,
        stride: u128,
        limit: impl Fn(u128) -> u128,
    ) -> State {
        let [chunks, requests, bytes, lens] = [self.chunks, self.requests, self.bytes, self.lens]
            .map(|sum| sum.saturating_mul(count));
        let Some(&(max_distance, _)) = class.last() else {
            return State {
                chunks,
                requests,
                bytes,
                lens,
                ..*self
            };
        };
        let (positions, span) = positions_and_span(class);
        if self.is_one_range && max_distance <= limit(self.used) {
            // The later axes are requested in full.
            let len = stride * (span + 1);
            let bytes = chunks.saturating_mul(len);
            return State {
                is_one_range: true,
                used: self.used + stride * span,
                len,
                chunks,
                requests: chunks,
                bytes,
                lens: bytes,
                max_requests: 1,
            };
        }
        let (mut merged, mut distances) = (0, 0);
        for &(distance, count) in class {
            if distance <= limit(self.len) {
                merged += count;
                distances += distance * count;
            }
        }
        let distances = chunks.saturating_mul(distances * stride);
        let gaps = distances.saturating_sub(lens.saturating_mul(merged));
        let requests = requests.saturating_mul(positions);
        State {
            is_one_range: false,
            // From here on, only `len` matters.
            used: 0,
            len: span * stride + self.len,
            chunks,
            requests: requests.saturating_sub(chunks.saturating_mul(merged)),
            bytes: bytes.saturating_mul(positions).saturating_add(gaps),
            lens: chunks.saturating_mul(span * stride).saturating_add(lens),
            max_requests: self.max_requests.saturating_mul(positions),
        }
    }
}

/// Returns the classes of an axis, each with its number of touched chunks.
fn classes(
    chunks: &ChunkPlan,
    axis: usize,
    check: &dyn Fn() -> Result<(), Error>,
) -> Result<BTreeMap<Distances, u128>, Error> {
    let mut classes = BTreeMap::new();
    for (part, count) in chunks.distinct_chunks(axis) {
        check()?;
        *classes.entry(distances(&part)).or_insert(0) += count as u128;
    }
    Ok(classes)
}

/// Returns the number of distinct positions, and the distance between the first and the last position.
fn positions_and_span(class: &Distances) -> (u128, u128) {
    class
        .iter()
        .fold((1, 0), |(positions, span), &(distance, count)| {
            (positions + count, span + distance * count)
        })
}

fn distances(part: &AxisPart<'_>) -> Distances {
    let mut distances: BTreeMap<usize, usize> = BTreeMap::new();
    let mut end = None;
    for run in distinct(part).runs() {
        if let Some(end) = end.replace(run.position(run.len() - 1)) {
            *distances.entry(run.start() - end).or_insert(0) += 1;
        }
        if run.len() > 1 {
            *distances.entry(run.step().unsigned_abs()).or_insert(0) += run.len() - 1;
        }
    }
    let distances = distances.into_iter();
    distances
        .map(|(distance, count)| (distance as u128, count as u128))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use slice_core::DynSliceSpec;

    use super::{Counts, count};
    use crate::array::read::runs::Runs;
    use crate::array::storage::merge::merge_ranges;
    use crate::chunks::ChunkPlan;
    use crate::chunks::list_tests::list;
    use crate::chunks::part::distinct;
    use crate::random::Random;

    /// Counts the ranges of each chunk.
    fn counts_of_all_chunks(chunks: &ChunkPlan, item_size: usize, gap: u64) -> Counts {
        let shape = chunks.chunk_shape();
        let mut counts = Counts::default();
        for part in chunks.parts() {
            let chunk_bytes = (shape.iter().product::<usize>() * item_size) as u64;
            let ranges: Vec<_> = match Runs::new(&part, shape, 0, item_size, gap) {
                Some(runs) => merge_ranges(runs.ranges(), gap, u64::MAX).collect(),
                None => std::iter::once(0..chunk_bytes).collect(),
            };
            counts.requests += ranges.len() as u128;
            counts.max_requests = counts.max_requests.max(ranges.len() as u128);
            let positions = part.axes.iter().map(|axis| distinct(axis).len() as u128);
            counts.max_positions = counts.max_positions.max(positions.sum());
            counts.bytes += ranges
                .iter()
                .map(|range| u128::from(range.end - range.start))
                .sum::<u128>();
        }
        counts
    }

    #[test]
    fn the_counts_equal_those_of_all_chunks() {
        let mut random = Random(56);
        let mut with_gaps = 0;
        for case in 0..1500 {
            let rank = 1 + case % 4;
            let max_len = [0, 60, 20, 9, 6][rank];
            let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(max_len)).collect();
            let chunk_shape: Vec<usize> = shape
                .iter()
                .map(|&size| 1 + random.below(size + 2))
                .collect();
            let items = shape.iter().map(|&size| match random.below(7) {
                0 => format!("{}", random.below(size)),
                1 => ":".into(),
                2 | 3 => {
                    let begin = random.below(size);
                    format!("{begin}::{}", 1 + random.below(5))
                }
                4 => format!("::-{}", 1 + random.below(5)),
                _ => list(&mut random, size),
            });
            let spec: DynSliceSpec = items.collect::<Vec<_>>().join(", ").parse().unwrap();
            let selection = spec.resolve(&shape).unwrap();
            let chunks = ChunkPlan::new(&selection, &chunk_shape).unwrap();
            let item_size = [1, 2, 3, 8][random.below(4)];
            for gap in [0, 1, 2, 3, 5, 7, 8, 12, 20, 40, 100, u64::MAX] {
                let expected = counts_of_all_chunks(&chunks, item_size, gap);
                let counts = count(&chunks, item_size, gap, &|| Ok(())).unwrap();
                assert!(counts.max_requests >= expected.max_requests);
                assert!(counts.max_positions >= expected.max_positions);
                let expected = Counts {
                    max_requests: counts.max_requests,
                    max_positions: counts.max_positions,
                    ..expected
                };
                assert_eq!(
                    counts, expected,
                    "{spec} of {shape:?} in chunks {chunk_shape:?} of {item_size}-byte elements, gap {gap}"
                );
                with_gaps += usize::from(expected.requests > chunks.len() as u128);
            }
        }
        assert!(
            with_gaps > 3000,
            "only {with_gaps} cases have several ranges in a chunk"
        );
    }

    /// Checks that the number of steps depends neither on the number of chunks nor on the size of the array, but only on
    /// the lengths of the lists.
    #[test]
    fn chunks_are_not_visited() {
        for (shape, chunk_shape, spec, max_steps) in [
            (vec![1 << 62], vec![1], "...", 10),
            (vec![1 << 62], vec![1], "::3", 10),
            (vec![1 << 62], vec![7], "1::2", 10),
            (vec![1_000_000_000_000, 3], vec![1, 2], "::-1, ::2", 20),
            (
                vec![1 << 20, 1 << 20, 1 << 20],
                vec![10, 11, 12],
                "5::3, 1::7, ::-4",
                1000,
            ),
            (vec![2; 62], vec![1; 62], "...", 200),
            (vec![3; 39], vec![2; 39], "...", 39 << 16),
            (
                vec![1 << 40, 1 << 20],
                vec![1 << 10, 1 << 10],
                "[0, 5, 99999999999], ::7",
                100,
            ),
        ] {
            let steps = Cell::new(0);
            let step = || {
                steps.set(steps.get() + 1);
                Ok(())
            };
            let spec: DynSliceSpec = spec.parse().unwrap();
            let chunks = ChunkPlan::new(&spec.resolve(&shape).unwrap(), &chunk_shape).unwrap();
            for gap in [0, 1, 100, u64::MAX] {
                steps.set(0);
                let counts = count(&chunks, 8, gap, &step).unwrap();
                assert!(counts.requests >= chunks.len() as u128);
                assert!(counts.bytes >= chunks.selection().len() as u128);
                assert!(steps.get() <= max_steps, "{spec}: {} steps", steps.get());
            }
        }
    }
}
