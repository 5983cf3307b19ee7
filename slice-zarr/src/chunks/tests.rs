//! Compares the combined parts of random selections with the whole selections. On axes of extreme lengths, compares
//! single parts with the results of plain division.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Selection, SliceError, s};

use crate::ChunkPlan;
use crate::chunks::range::Segment;
use crate::random::Random;
use crate::read_plan::error::PlanError;

/// A value that occurs in no array. It marks padding and unfilled positions of an output.
const GUARD: u32 = u32::MAX;

impl Random {
    fn bound(&mut self, size: usize) -> String {
        match self.below(8) {
            0..3 => Default::default(),
            3 => (i64::MIN + self.below(2) as i64).to_string(),
            4 => (i64::MAX - self.below(2) as i64).to_string(),
            _ => (self.below(2 * size + 5) as i64 - size as i64 - 2).to_string(),
        }
    }

    /// Returns a random slice of an array of shape `shape`. An index in the slice may be out of bounds.
    fn spec(&mut self, shape: &[usize]) -> DynSliceSpec {
        let mut items = Vec::new();
        for &size in shape {
            while self.below(8) == 0 {
                items.push("newaxis".into());
            }
            items.push(match self.below(8) {
                0 if size > 0 => format!("{}", self.below(2 * size) as i64 - size as i64),
                1 => ":".into(),
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

/// Returns the positions of all elements of an array of shape `shape`, in C order.
fn positions(shape: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for &len in shape {
        all = all
            .iter()
            .flat_map(|position| {
                (0..len).map(move |k| position.iter().copied().chain([k]).collect::<Vec<_>>())
            })
            .collect();
    }
    all
}

fn flat_index(position: &[usize], shape: &[usize]) -> usize {
    position
        .iter()
        .zip(shape)
        .fold(0, |sum, (&k, &len)| sum * len + k)
}

/// Returns a chunk of an array in which each element is equal to its own flat index. Padding is [`GUARD`].
fn stored_chunk(chunk: &[usize], chunk_shape: &[usize], shape: &[usize]) -> Vec<u32> {
    let element = |position: &Vec<usize>| {
        let position = position.iter().zip(chunk).zip(chunk_shape);
        let position: Vec<usize> = position
            .map(|((&k, &chunk), &len)| chunk * len + k)
            .collect();
        if position.iter().zip(shape).all(|(k, len)| k < len) {
            flat_index(&position, shape) as u32
        } else {
            GUARD
        }
    };
    positions(chunk_shape).iter().map(element).collect()
}

fn check(selection: &Selection, chunk_shape: &[usize]) {
    let shape = selection.input_shape();
    let plan = ChunkPlan::new(selection, chunk_shape).unwrap();
    let case = || alloc::format!("{:?} in chunks {chunk_shape:?}", selection.axes());

    let mut out = vec![GUARD; selection.len()];
    let mut filled = vec![0_u8; selection.len()];
    let mut previous = None;
    for (number, part) in plan.parts().enumerate() {
        assert_eq!(part.number(), number);
        let position: Vec<usize> = part.chunk().collect();
        assert!(previous.as_ref() < Some(&position), "{}", case());

        let chunk = stored_chunk(&position, chunk_shape, shape);
        previous = Some(position);
        let inside = part.selection();
        let values = inside.gather(&chunk).unwrap();
        let segments = part.segments().unwrap();
        let ranges = segments.iter().map(|segment| segment.positions);
        assert!(ranges.eq(inside.axes().unwrap().iter().copied()));
        assert!(
            !values.is_empty() && values.len() == part.len(),
            "{}",
            case()
        );
        let output = part.output();
        assert_eq!(output.output_shape(), inside.output_shape());
        output.scatter(&values, &mut out).unwrap();
        output
            .scatter_add(&vec![1; values.len()], &mut filled)
            .unwrap();

        let cut_off: Vec<usize> = part.cut_off_shape().collect();
        let array_elements: Vec<u32> = chunk.iter().copied().filter(|&x| x != GUARD).collect();
        assert_eq!(
            part.selection_cut_off().gather(&array_elements).unwrap(),
            values
        );
        assert_eq!(cut_off.iter().product::<usize>(), array_elements.len());
        assert_eq!(part.is_whole(), values.len() == array_elements.len());

        let mut sorted: Vec<usize> = inside.indices().collect();
        sorted.sort_unstable();
        let runs = part.byte_runs(4).unwrap();
        assert_eq!(runs.len(), runs.clone().count());
        let run_elements = runs
            .flat_map(|run| run.step_by(4))
            .map(|byte| byte as usize / 4);
        assert_eq!(run_elements.collect::<Vec<_>>(), sorted, "{}", case());
    }
    assert!(filled.iter().all(|&times| times == 1), "{}", case());
    let expected: Vec<u32> = selection.indices().map(|index| index as u32).collect();
    assert_eq!(out, expected, "{}", case());

    let touched = selection.indices().map(|mut index| {
        let mut chunk = vec![0; shape.len()];
        for (axis, &len) in shape.iter().enumerate().rev() {
            chunk[axis] = index % len / chunk_shape[axis];
            index /= len;
        }
        chunk
    });
    let touched: BTreeSet<Vec<usize>> = touched.collect();
    assert_eq!(plan.len(), touched.len(), "{}", case());
    assert!(
        plan.parts()
            .map(|part| part.chunk().collect::<Vec<_>>())
            .eq(touched)
    );
}

#[test]
fn the_parts_fill_each_output_element_exactly_once() {
    let mut random = Random(20);
    let mut counts = [[0; 2]; 7];
    let (count, max_elements) = if cfg!(miri) { (60, 12) } else { (6000, 400) };
    for case in 0..count {
        let rank = case % 7;
        let max_len = [0, 23, 11, 8, 6, 4, 3][rank];
        let shape: Vec<usize> = (0..rank)
            .map(|_| (1 + random.below(max_len)) * usize::from(random.below(24) > 0))
            .collect();
        if shape.iter().product::<usize>() > max_elements {
            continue;
        }
        let chunk_shape: Vec<usize> = shape
            .iter()
            .map(|&size| 1 + random.below(size + 2))
            .collect();
        let Ok(selection) = random.spec(&shape).resolve(&shape) else {
            continue;
        };
        check(&selection, &chunk_shape);
        counts[rank][usize::from(selection.is_empty())] += 1;
    }
    if !cfg!(miri) {
        // Selections of every rank occurred and, for each rank except 0, empty selections as well.
        assert!(
            counts[0][0] > 500 && counts[1..].iter().flatten().all(|&n| n > 40),
            "too few selections of some rank: {counts:?}"
        );
    }
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
