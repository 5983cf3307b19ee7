//! Compares the combined parts of random selections with the whole selections, element by element. The selections
//! contain lists.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::Cell;

use slice_core::{AxisPositions, AxisRange, AxisRun, DynSliceSpec, OutputAxis, Selection, s};

use super::ChunkPlan;
use super::grouped::{CHECK_INTERVAL, Grouped};
use crate::random::Random;
#[cfg(feature = "zarrs")]
use crate::read_plan::error::PlanError;

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

fn spec(random: &mut Random, shape: &[usize]) -> DynSliceSpec {
    let (mut items, mut end) = (Vec::new(), 0);
    for (axis, &size) in shape.iter().enumerate() {
        if axis < end {
            continue;
        }
        end = axis + 1;
        if !shape.contains(&0) && random.below(4) == 0 {
            let (item, count) = joined(random, &shape[axis..]);
            items.push(item);
            end = axis + count;
            continue;
        }
        if random.below(8) == 0 {
            items.push("newaxis".into());
        }
        items.push(match random.below(6) {
            0 if size > 0 => format!("{}", random.below(size)),
            1 => ":".into(),
            2 => ["::-1", "1::2", "::-3", ":0"][random.below(4)].into(),
            _ => list(random, size),
        });
    }
    items.join(", ").parse().unwrap()
}

/// Returns the position, along each axis, of the element with the flat index `index`.
fn unravel(mut index: usize, shape: &[usize]) -> Vec<usize> {
    let mut position = vec![0; shape.len()];
    for (axis, &len) in shape.iter().enumerate().rev() {
        position[axis] = index % len;
        index /= len;
    }
    position
}

/// Returns, for each element of the output, the position of its chunk in the chunk grid, and its position in the chunk.
fn expected(selection: &Selection, chunk_shape: &[usize]) -> Vec<(Vec<usize>, Vec<usize>)> {
    let positions = selection.indices();
    let positions = positions.map(|index| {
        let position = unravel(index, selection.input_shape());
        let both = position.iter().zip(chunk_shape);
        both.map(|(&k, &len)| (k / len, k % len)).unzip()
    });
    positions.collect()
}

fn check(selection: &Selection, chunk_shape: &[usize]) {
    let case = || format!("{selection:?} in chunks {chunk_shape:?}");
    let expected = expected(selection, chunk_shape);
    let plan = ChunkPlan::new(selection, chunk_shape).unwrap();
    let touched: BTreeSet<&Vec<usize>> = expected.iter().map(|(chunk, _)| chunk).collect();
    let chunks: Vec<Vec<usize>> = plan.parts().map(|part| part.chunk().collect()).collect();
    assert!(touched.into_iter().eq(&chunks), "{}", case());

    let mut out = vec![None; selection.len()];
    for (number, part) in plan.parts().enumerate() {
        assert_eq!(part.number(), number);
        let (inside, output) = (part.selection(), part.output());
        assert_eq!(inside.output_shape(), output.output_shape());
        assert_eq!((part.len(), inside.len()), (output.len(), output.len()));
        let mut selected_indices = BTreeSet::new();
        for (from, to) in inside.indices().zip(output.indices()) {
            let position = unravel(from, chunk_shape);
            assert!(
                out[to]
                    .replace((chunks[number].clone(), position))
                    .is_none(),
                "{}",
                case()
            );
            selected_indices.insert(from);
        }
        let size = part.cut_off_shape().product::<usize>();
        assert_eq!(
            part.is_whole(),
            selected_indices.len() == size,
            "{}",
            case()
        );
    }
    let out: Option<Vec<_>> = out.into_iter().collect();
    assert_eq!(out, Some(expected), "{}", case());
    check_units(selection, chunk_shape);
}

/// Compares the units of a plan with the chunks of a plan for chunks of shape `unit_shape`.
#[cfg(feature = "zarrs")]
fn check_units(selection: &Selection, unit_shape: &[usize]) {
    let chunk_shape: Vec<usize> = unit_shape.iter().map(|len| 3 * len).collect();
    let in_units: Result<_, PlanError> =
        ChunkPlan::in_units(selection.clone(), &chunk_shape, unit_shape, &|| Ok(()));
    let in_units = in_units.unwrap();
    let chunks = ChunkPlan::new(selection, &chunk_shape).unwrap();
    let units = ChunkPlan::new(selection, unit_shape).unwrap();
    assert_eq!(
        (in_units.len(), in_units.units()),
        (chunks.len(), units.len())
    );
    let moves = |selected: &super::part::SelectedPositions<'_>| -> Vec<Vec<_>> {
        let axes = selected.axes.iter();
        let pairs = |part: &super::axis::AxisPart<'_>| {
            let moves = part.moves().flat_map(|list_move| {
                (0..list_move.len).map(move |k| {
                    let distance = list_move.step * k as isize;
                    (
                        list_move.from.wrapping_add_signed(distance),
                        list_move.to + k,
                    )
                })
            });
            moves.collect()
        };
        axes.map(pairs).collect()
    };
    let mut expected_units: Vec<_> = units
        .parts()
        .map(|part| {
            (
                part.chunk().collect::<Vec<_>>(),
                moves(&part.selected_positions()),
            )
        })
        .collect();
    for (part, whole) in in_units.parts().zip(chunks.parts()) {
        let chunk: Vec<usize> = part.chunk().collect();
        assert!(whole.chunk().eq(chunk.iter().copied()));
        assert_eq!(
            (part.len(), part.is_whole()),
            (whole.len(), whole.is_whole())
        );
        for number in 0..part.units() {
            let (position, selected) = part.unit(number);
            let position: Vec<usize> = match in_units.joined_axes() {
                None => position.to_vec(),
                Some(joined_axes) => { joined_axes.input().iter().zip(position) }
                    .flat_map(|(&count, number)| unravel(number, &vec![3; count]))
                    .collect(),
            };
            let unit = chunk
                .iter()
                .zip(&position)
                .map(|(chunk, unit)| 3 * chunk + unit);
            let unit: Vec<usize> = unit.collect();
            let index = expected_units.iter().position(|(other, _)| *other == unit);
            let (_, expected) =
                expected_units.swap_remove(index.expect("each unit should occur exactly once"));
            assert_eq!(moves(&selected), expected);
        }
    }
    assert!(expected_units.is_empty());
}

#[cfg(not(feature = "zarrs"))]
fn check_units(_: &Selection, _: &[usize]) {}

#[test]
fn the_parts_fill_each_output_element_exactly_once() {
    let mut random = Random(35);
    let mut counts = [0; 5];
    for case in 0..if cfg!(miri) { 40 } else { 4000 } {
        let rank = case % 5;
        let max_len = [0, 40, 12, 7, 4][rank];
        let shape: Vec<usize> = (0..rank)
            .map(|_| (1 + random.below(max_len)) * usize::from(random.below(20) > 0))
            .collect();
        let chunk_shape: Vec<usize> = shape
            .iter()
            .map(|&size| 1 + random.below(size + 2))
            .collect();
        let selection = spec(&mut random, &shape).resolve(&shape).unwrap();
        if selection.len() <= 3000 {
            check(&selection, &chunk_shape);
            counts[rank] += usize::from(!selection.is_strided());
        }
    }
    assert!(
        cfg!(miri) || counts[1..].iter().all(|&n| n > 200),
        "too few selections of some rank: {counts:?}"
    );
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
        let axes = [AxisPositions::Singles(positions.into())];
        let selection = Selection::from_axes(&[size], axes, &[OutputAxis::Input(0)]);
        check(&selection.unwrap(), &[len]);
    }
}

#[test]
fn runs_that_would_be_cut_into_too_many_pieces_are_rejected() {
    let run = |start, step, len| AxisRun { start, step, len };
    let max_len = isize::MAX as usize;
    let plan_runs = |runs: Vec<AxisRun>, chunk| {
        let axes = [AxisPositions::Runs(runs.into())];
        let selection = Selection::from_axes(&[max_len], axes, &[OutputAxis::Input(0)]);
        ChunkPlan::new(&selection.unwrap(), &[chunk])
    };
    let long_runs = [run(0, 1, max_len / 2), run(0, 2, max_len / 4)];
    assert!(plan_runs(long_runs.to_vec(), 1).is_err());
    assert!(plan_runs(long_runs.to_vec(), max_len).is_err());
    let long_runs = [run(0, 1, 1 << 40), run(0, 2, 1 << 40)];
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
    let range = AxisPositions::Range(AxisRange::whole(max_len));
    let all = Selection::from_axes(&[max_len], [range], &[OutputAxis::Input(0)]).unwrap();
    assert_eq!(
        ChunkPlan::new(&all, &[1]).map(|plan| plan.len()),
        Ok(max_len)
    );
}

/// Counts the checks while `positions`, a list, is grouped, and stops at each of them in turn.
fn count_checks(list: &AxisPositions<'_>) -> usize {
    let group = |last: usize| {
        let count = Cell::new(0);
        let check = || {
            count.set(count.get() + 1);
            if count.get() < last { Ok(()) } else { Err(()) }
        };
        (Grouped::new(list, 10, &check).map(drop), count.get())
    };
    let (result, checks) = group(usize::MAX);
    assert_eq!(result, Ok(()));
    for last in 1..=checks {
        assert_eq!(group(last), (Err(()), last));
    }
    checks
}

#[test]
fn lists_are_not_grouped_after_the_deadline() {
    const COUNT: usize = 10 * CHECK_INTERVAL;
    let ascending: Vec<usize> = (0..COUNT).collect();
    let descending: Vec<usize> = (0..COUNT).rev().collect();
    let sparse: Vec<usize> = (0..COUNT).rev().map(|k| 1000 * k).collect();
    let run = |start| AxisRun {
        start,
        step: 3,
        len: 4,
    };
    let runs: Vec<AxisRun> = (0..COUNT).map(run).collect();
    let counts = [
        AxisPositions::Singles(ascending.into()),
        // A counting sort takes two passes, after a pass that stops at the first position in a lower chunk.
        AxisPositions::Singles(descending.into()),
        // These positions are sorted before they are passed over again.
        AxisPositions::Singles(sparse.into()),
        AxisPositions::Runs(runs.into()),
    ]
    .map(|list| count_checks(&list));
    assert_eq!(counts, [10, 21, 12, 21]);
}
