//! Creates random lists, masks and points, and checks how lists are grouped.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use slice_core::{AxisPositions, AxisRange, OutputAxis, Selection, s};

use super::ChunkPlan;
use super::grouped::{CHECK_INTERVAL, Grouped};
use super::tests::check;
use crate::random::Random;
use crate::read_plan::error::{MAX_RUN_CUTS, PlanError};

/// Returns a random mask or list for an axis of length `size`. A list may contain runs of different steps, and repeated
/// positions.
pub(crate) fn list(random: &mut Random, size: usize) -> String {
    if random.below(5) == 0 {
        let frequency = 1 + random.below(9);
        let mask = (0..size).map(|_| ["False", "True"][usize::from(random.below(10) < frequency)]);
        return format!("[{}]", mask.collect::<Vec<_>>().join(", "));
    }
    let mut positions: Vec<usize> = Vec::new();
    while size > 0 && random.below(4) > 0 && positions.len() < 24 {
        let (at, step) = (random.below(size), random.below(4) as isize - 1);
        let run = (0..1 + random.below(12) as isize).map(|k| at as isize + k * step);
        positions.extend(run.filter_map(|k| usize::try_from(k).ok().filter(|&k| k < size)));
    }
    if random.below(3) == 0 {
        positions.sort_unstable();
    }
    let items = positions.iter().map(|&k| match random.below(2) {
        0 => format!("{k}"),
        _ => format!("-{}", size - k),
    });
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// Returns nested lists of shape `shape`, and the elements by `element`.
fn nested(shape: &[usize], element: &mut impl FnMut() -> String) -> String {
    let Some((&len, inner)) = shape.split_first() else {
        return element();
    };
    let elements = (0..len).map(|_| nested(inner, element));
    format!("[{}]", elements.collect::<Vec<_>>().join(", "))
}

/// Returns a random mask, points or a list with several axes, and the number of axes, of which the lengths are the first
/// of `sizes`, to which it applies. All lengths must be at least 1.
pub(crate) fn joined(random: &mut Random, sizes: &[usize]) -> (String, usize) {
    let count = 1 + random.below(sizes.len().min(3));
    let position = |random: &mut Random, size: usize| {
        let k = random.below(size) as isize;
        format!("{}", k - size as isize * random.below(2) as isize)
    };
    if count > 1 && random.below(2) == 0 {
        let frequency = random.below(11);
        let mut element = || ["False", "True"][usize::from(random.below(10) < frequency)].into();
        return (nested(&sizes[..count], &mut element), count);
    }
    let shape = [1 + random.below(4), 1 + random.below(3)];
    let rank = 1 + random.below(2);
    let lists = sizes[..count].iter().map(|&size| {
        // Some lists are broadcast.
        let first = usize::from(random.below(4) == 0);
        let mut element = || position(random, size);
        nested(&shape[..rank][first.min(rank - 1)..], &mut element)
    });
    let lists: Vec<String> = lists.collect();
    match count {
        1 => (nested(&shape, &mut || position(random, sizes[0])), 1),
        _ => (format!("zip({})", lists.join(", ")), count),
    }
}

/// Composes a selection that has a new axis with a list that repeats the position of this axis.
#[test]
fn a_new_axis_can_be_repeated() {
    let first = s![[3, 1, 3], newaxis].resolve(&[5, 4]).unwrap();
    let then = s![:, [0, 0, 0], ::-1].resolve(&[3, 1, 4]).unwrap();
    check(&first.compose(&then).unwrap(), &[2, 3]);
}

/// Checks lists of a few positions that are far apart. They are sorted by a different algorithm than dense lists.
#[test]
fn positions_far_apart_are_grouped() {
    let mut random = Random(7);
    for (size, len) in [(1 << 50, 1), (1 << 50, 1000), (isize::MAX as usize, 3)] {
        let positions = (0..40).map(|_| random.below(1 << 30) * (size >> 30) + random.below(9));
        let mut positions: Vec<usize> = positions.collect();
        positions.extend_from_within(10..20);
        let axes = [AxisPositions::from_positions(positions)];
        let selection = Selection::from_axes(&[size], axes, &[OutputAxis::Input(0)]);
        check(&selection.unwrap(), &[len]);
    }
}

#[test]
fn runs_that_would_be_cut_into_too_many_pieces_are_rejected() {
    let run = AxisRange::new;
    let max_len = isize::MAX as usize;
    let plan_runs = |runs: Vec<AxisRange>, chunk| {
        let axes = [AxisPositions::from_runs(runs)];
        let selection = Selection::from_axes(&[max_len], axes, &[OutputAxis::Input(0)]);
        ChunkPlan::new(&selection.unwrap(), &[chunk])
    };
    let long_runs = [run(0, 1, max_len / 2), run(0, 2, max_len / 4)];
    assert!(plan_runs(long_runs.to_vec(), 1).is_err());
    assert_eq!(
        plan_runs(long_runs.to_vec(), max_len).map(|plan| plan.len()),
        Ok(1)
    );
    // Each of the runs repeats a single position.
    let repeated_positions = vec![run(0, 0, 1 << 40), run(max_len - 1, 0, 1 << 40)];
    assert_eq!(
        plan_runs(repeated_positions, 1).map(|plan| plan.len()),
        Ok(2)
    );
    let distant_positions = vec![run(max_len - 1, -(max_len as isize / 2), 3), run(5, 1, 1)];
    assert_eq!(
        plan_runs(distant_positions, 1000).map(|plan| plan.len()),
        Ok(3)
    );
    let range = AxisRange::whole(max_len);
    let all = Selection::from_axes(&[max_len], [range], &[OutputAxis::Input(0)]).unwrap();
    assert_eq!(
        ChunkPlan::new(&all, &[1]).map(|plan| plan.len()),
        Ok(max_len)
    );
}

#[test]
fn a_list_that_crosses_too_many_chunks_is_an_error() {
    let len = MAX_RUN_CUTS;
    let runs = |len| AxisPositions::from_runs([AxisRange::new(0, 1, len), AxisRange::new(9, 1, 2)]);
    let group = |len| Grouped::new(&runs(len), 1, &|| Ok::<_, PlanError>(()));
    assert!(group(len - 1).is_ok());
    let error = group(len + 1).unwrap_err();
    assert_eq!(error, PlanError::TooManyCuts { cuts: len + 1 });
    assert_eq!(
        error.to_string(),
        "a list crosses about 4194305 chunk boundaries, but at most 4194304 are supported; use longer chunks, or select \
         fewer elements at a time"
    );
}

/// Counts the checks while `positions`, a list, is grouped, and stops at each of them in turn.
fn count_checks(list: &AxisPositions) -> usize {
    let group = |last: usize| {
        let count = Cell::new(0);
        let check = || {
            count.set(count.get() + 1);
            match count.get() < last {
                true => Ok(()),
                false => Err(PlanError::TooManyParts { parts: last }),
            }
        };
        (Grouped::new(list, 10, &check).map(drop), count.get())
    };
    let (result, checks) = group(usize::MAX);
    assert_eq!(result, Ok(()));
    for last in 1..=checks {
        let error = PlanError::TooManyParts { parts: last };
        assert_eq!(group(last), (Err(error), last));
    }
    checks
}

#[test]
fn lists_are_not_grouped_after_the_deadline() {
    const COUNT: usize = 10 * CHECK_INTERVAL;
    // The distances between positions alternate, so the positions are singles.
    let ascending = (0..COUNT).map(|k| 2 * k + k % 2);
    let descending = ascending.clone().rev();
    let sparse = descending.clone().map(|k| 1000 * k);
    let run = |start| AxisRange::new(start, 3, 4);
    let runs: Vec<AxisRange> = (0..COUNT).map(run).collect();
    let counts = [
        AxisPositions::from_positions(ascending),
        // A counting sort takes two passes, after a pass that stops at the first position in a lower chunk.
        AxisPositions::from_positions(descending),
        // These positions are sorted before they are passed over again.
        AxisPositions::from_positions(sparse),
        // The runs are cut into about 77,000 pieces, which are then sorted like the positions above.
        AxisPositions::from_runs(runs),
    ]
    .map(|list| count_checks(&list));
    assert_eq!(counts, [10, 21, 12, 49]);
}
