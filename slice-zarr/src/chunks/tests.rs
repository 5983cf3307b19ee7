//! Compares the combined parts of random selections with the whole selections. On axes of extreme lengths, compares
//! single parts with the results of plain division.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Selection, SliceError, s};

use super::ChunkPlan;
use super::list_tests::{joined, list};
use super::range::Segment;
use crate::random::Random;
use crate::read_plan::error::PlanError;

impl Random {
    fn bound(&mut self, size: usize) -> String {
        match self.below(8) {
            0..3 => Default::default(),
            3 => (i64::MIN + self.below(2) as i64).to_string(),
            4 => (i64::MAX - self.below(2) as i64).to_string(),
            _ => (self.below(2 * size + 5) as i64 - size as i64 - 2).to_string(),
        }
    }

    /// Returns a random slice of an array of shape `shape`, with or without lists.
    fn spec(&mut self, shape: &[usize], with_lists: bool) -> DynSliceSpec {
        let (mut items, mut end) = (Vec::new(), 0);
        for (axis, &size) in shape.iter().enumerate() {
            if axis < end {
                continue;
            }
            end = axis + 1;
            if with_lists && !shape.contains(&0) && self.below(4) == 0 {
                let (item, count) = joined(self, &shape[axis..]);
                items.push(item);
                end = axis + count;
                continue;
            }
            while self.below(8) == 0 {
                items.push("newaxis".into());
            }
            items.push(match self.below(8) {
                0 if size > 0 => format!("{}", self.below(2 * size) as i64 - size as i64),
                1 => ":".into(),
                2..6 if with_lists => list(self, size),
                _ => {
                    let step = [1, 1, 2, 3, 5, -1, -1, -2, -7, i64::MAX, i64::MIN];
                    let step = step[self.below(step.len())];
                    format!("{}:{}:{step}", self.bound(size), self.bound(size))
                }
            });
        }
        if self.below(4) == 0 {
            items.truncate(self.below(items.len() + 1));
            items.push("...".into());
        }
        items.join(", ").parse().unwrap()
    }
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

/// Returns the position, along each axis of the input, of each element of a selection.
fn positions(selection: &Selection) -> Vec<Vec<usize>> {
    let indices = selection.indices();
    indices
        .map(|index| unravel(index, selection.input_shape()))
        .collect()
}

/// Checks that the parts of the plan of a selection fill each element of the output exactly once, from the correct chunk.
pub(super) fn check(selection: &Selection, chunk_shape: &[usize]) {
    let case = || format!("{selection:?} in chunks {chunk_shape:?}");
    // For each element of the output, the position of its chunk in the chunk grid, and its position in the chunk.
    let expected = positions(selection).into_iter().map(|position| {
        let axes = position.iter().zip(chunk_shape);
        axes.map(|(&k, &len)| (k / len, k % len)).unzip()
    });
    let expected: Vec<(Vec<usize>, Vec<usize>)> = expected.collect();
    let plan = ChunkPlan::new(selection, chunk_shape).unwrap();
    let touched: BTreeSet<&Vec<usize>> = expected.iter().map(|(chunk, _)| chunk).collect();
    let chunks: Vec<Vec<usize>> = plan.parts().map(|part| part.chunk().collect()).collect();
    assert_eq!(plan.len(), touched.len(), "{}", case());
    assert!(touched.into_iter().eq(&chunks), "{}", case());

    let mut out = vec![None; selection.len()];
    for (number, part) in plan.parts().enumerate() {
        assert_eq!(part.number(), number);
        let (inside, output) = (part.selection(), part.output());
        assert_eq!(inside.output_shape(), output.output_shape());
        assert!(!inside.is_empty(), "{}", case());
        assert_eq!((part.len(), inside.len()), (output.len(), output.len()));
        let from = positions(&inside);
        for (from, to) in from.iter().zip(output.indices()) {
            let previous = out[to].replace((chunks[number].clone(), from.clone()));
            assert!(previous.is_none(), "{}", case());
        }
        assert_eq!(positions(&part.selection_cut_off()), from, "{}", case());
        let size = part.cut_off_shape().product::<usize>();
        let selected = BTreeSet::from_iter(from);
        assert_eq!(part.is_whole(), selected.len() == size, "{}", case());

        if selection.is_strided() {
            let segments = part.segments().unwrap();
            let ranges = segments.iter().map(|segment| segment.positions);
            assert!(ranges.eq(inside.axes().unwrap().iter().copied()));
            let mut sorted: Vec<usize> = inside.indices().collect();
            sorted.sort_unstable();
            let runs = part.byte_runs(4).unwrap();
            assert_eq!(runs.len(), runs.clone().count());
            let elements = runs.flat_map(|run| run.step_by(4));
            let elements = elements.map(|byte| byte as usize / 4);
            assert_eq!(elements.collect::<Vec<_>>(), sorted, "{}", case());
        }
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
    let moves = |selected: &super::part::ChunkPart<'_>| -> Vec<Vec<_>> {
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
        .map(|part| (part.chunk().collect::<Vec<_>>(), moves(&part)))
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
                Some(joined_axes) => {
                    let axes = joined_axes.input.iter().zip(position);
                    axes.flat_map(|(&count, number)| unravel(number, &vec![3; count]))
                        .collect()
                }
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

/// Checks random selections from arrays of at most `max_elements` elements. The length of an axis is at most
/// `max_lens[rank]`. Returns, for each rank, the numbers of strided selections that are not empty, of empty strided
/// selections, and of selections with lists.
fn check_random(
    mut random: Random,
    [count, max_elements]: [usize; 2],
    max_lens: &[usize],
    with_lists: bool,
) -> Vec<[usize; 3]> {
    let mut counts = vec![[0; 3]; max_lens.len()];
    for case in 0..count {
        let rank = case % max_lens.len();
        let lens = (0..rank).map(|_| {
            let len = 1 + random.below(max_lens[rank]);
            len * usize::from(random.below(22) > 0)
        });
        let shape: Vec<usize> = lens.collect();
        let lens = shape.iter().map(|&size| 1 + random.below(size + 2));
        let chunk_shape: Vec<usize> = lens.collect();
        if shape.iter().product::<usize>() > max_elements {
            continue;
        }
        let selection = random.spec(&shape, with_lists).resolve(&shape).unwrap();
        if selection.len() <= 3000 {
            check(&selection, &chunk_shape);
            counts[rank][match (selection.is_strided(), selection.is_empty()) {
                (true, false) => 0,
                (true, true) => 1,
                (false, _) => 2,
            }] += 1;
        }
    }
    counts
}

#[test]
fn the_parts_fill_each_output_element_exactly_once() {
    let limits = if cfg!(miri) { [60, 12] } else { [6000, 400] };
    let counts = check_random(Random(20), limits, &[0, 23, 11, 8, 6, 4, 3], false);
    // Selections of every rank occurred and, for each rank except 0, empty selections as well.
    let mut with_axes = counts[1..].iter().flat_map(|n| &n[..2]);
    assert!(
        cfg!(miri) || counts[0][0] > 500 && with_axes.all(|&n| n > 40),
        "too few selections of some rank: {counts:?}"
    );
}

#[test]
fn the_parts_of_lists_fill_each_output_element_exactly_once() {
    let limits = [if cfg!(miri) { 40 } else { 4000 }, 400];
    let counts = check_random(Random(35), limits, &[0, 40, 12, 7, 4], true);
    assert!(
        cfg!(miri) || counts[1..].iter().all(|n| n[2] > 200),
        "too few selections of some rank: {counts:?}"
    );
}

#[test]
fn the_parts_of_a_composed_selection_fill_its_output() {
    let first = s![:, newaxis, 1:].resolve(&[5, 6]).unwrap();
    for then in ["::-2, :0, ::3", "::-2, 0, ::3", "..., 1", "1, :, ::-1"] {
        let then: DynSliceSpec = then.parse().unwrap();
        let then = then.resolve(first.output_shape()).unwrap();
        check(&first.compose(&then).unwrap(), &[2, 4]);
    }
}

#[test]
fn parts_can_be_requested_by_number() {
    let selection = s![::-3, 1, 2:].resolve(&[20, 4, 9]).unwrap();
    let plan = ChunkPlan::new(&selection, &[4, 3, 2]).unwrap();
    let show = |parts: crate::ChunkParts<'_>| -> Vec<_> {
        parts
            .map(|part| {
                (
                    part.number(),
                    part.chunk().collect::<Vec<_>>(),
                    part.output(),
                )
            })
            .collect()
    };
    let all = show(plan.parts());
    assert_eq!(all.len(), plan.len());
    for begin in 0..=plan.len() + 1 {
        for end in 0..=plan.len() + 1 {
            let expected = all.get(begin..end.min(all.len())).unwrap_or_default();
            assert_eq!(show(plan.parts_in(begin..end)), expected);
        }
        let mut parts = plan.parts();
        let nth = parts.nth(begin).map(|part| part.number());
        assert_eq!(nth, (begin < all.len()).then_some(begin));
        assert_eq!(parts.len(), all.len().saturating_sub(begin + 1));
        assert_eq!(show(parts), all.get(begin + 1..).unwrap_or_default());
    }
}

#[test]
fn axes_of_maximum_length_can_be_planned() {
    const MAX: usize = isize::MAX as usize;
    let lengths = [1, 2, 3, 1000, MAX / 2, MAX / 2 + 1, MAX - 1, MAX];
    let steps = [
        1,
        -1,
        2,
        -3,
        MAX as i64 / 2,
        -(MAX as i64 / 2),
        MAX as i64,
        i64::MIN,
    ];
    for size in lengths {
        for chunk in lengths {
            for step in steps {
                let spec = alloc::format!("::{step}");
                let selection = spec
                    .parse::<DynSliceSpec>()
                    .unwrap()
                    .resolve(&[size])
                    .unwrap();
                let range = selection.axes().unwrap()[0];
                let plan = ChunkPlan::new(&selection, &[chunk]).unwrap();
                // The first two parts, the last two, and one in between.
                let len = plan.len();
                for number in [0, 1, len / 2, len.saturating_sub(2), len.saturating_sub(1)] {
                    let Some(part) = plan.parts_in(number..len).next() else {
                        continue;
                    };
                    let chunk_at = part.chunk().next().unwrap();
                    let Segment {
                        begin,
                        positions: inside,
                        ..
                    } = part.segments().unwrap()[0];
                    for k in [0, inside.len() / 2, inside.len() - 1] {
                        let position = range.position(begin + k);
                        assert_eq!(
                            (chunk_at, inside.position(k)),
                            (position / chunk, position % chunk)
                        );
                    }
                    // The selected positions just before and just after the part lie in other chunks.
                    for outside in [begin.checked_sub(1), Some(begin + inside.len())] {
                        if let Some(k) = outside.filter(|&k| k < range.len()) {
                            assert_ne!(range.position(k) / chunk, chunk_at);
                        }
                    }
                }
                let is_sparse = range.step().unsigned_abs() >= chunk;
                let last = range.position(range.len() - 1);
                let span = last.abs_diff(range.start()) / chunk;
                assert!(if is_sparse {
                    len == range.len()
                } else {
                    len - span <= 2
                });
            }
        }
    }
}

#[test]
fn invalid_chunk_shapes_and_element_sizes_are_rejected() {
    let selection = s![:, 0].resolve(&[2, 3]).unwrap();
    let too_few = SliceError::RankMismatch {
        expected: 2,
        actual: 1,
    };
    assert_eq!(
        ChunkPlan::new(&selection, &[1]),
        Err(PlanError::Slice(too_few))
    );
    let error = ChunkPlan::new(&selection, &[1, 0]).unwrap_err();
    assert_eq!(error, PlanError::EmptyChunk { axis: 1 });
    let error = ChunkPlan::new(&selection, &[usize::MAX, 1]).unwrap_err();
    let (axis, len) = (0, usize::MAX);
    assert_eq!(error, PlanError::ChunkTooLarge { axis, len });
    let message = alloc::format!("chunk is too big: length {len} on axis 0");
    assert!(error.to_string().starts_with(&message));
    assert!(ChunkPlan::new(&selection, &[1 << (usize::BITS / 2), usize::MAX >> 1]).is_err());

    let max_len = isize::MAX as usize;
    let plan = ChunkPlan::new(&s![0].resolve(&[1]).unwrap(), &[max_len]).unwrap();
    let part = plan.parts().next().unwrap();
    let mut runs = part.byte_runs(1).unwrap();
    assert_eq!((runs.next(), runs.next()), (Some(0..1), None));
    assert_eq!(part.byte_runs(0).unwrap().count(), 0);
    let too_large = SliceError::TooLarge { axis: 1, size: 2 };
    assert_eq!(part.byte_runs(2).unwrap_err(), too_large);
}
