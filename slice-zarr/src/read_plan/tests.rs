//! Tests plans and splits. Together, the plans of a split must read the same elements as the whole plan, and no two of
//! them may share a chunk.

use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, Selection, s};

use super::{ChunkedArray, PlanError, ReadPlan, planned_axes};
use crate::chunks::list_tests::{joined, list};
use crate::random::Random;

fn array(shape: &[usize], chunk_shape: &[usize]) -> ChunkedArray {
    ChunkedArray {
        shape: shape.into(),
        data_type: "int32".into(),
        item_size: 4,
        chunk_shape: chunk_shape.into(),
        ..ChunkedArray::default()
    }
}

fn plan(spec: &str, array: ChunkedArray) -> ReadPlan {
    let spec: DynSliceSpec = spec.parse().unwrap();
    let selection = spec.resolve(&array.shape).unwrap();
    ReadPlan::new(array, selection).unwrap()
}

/// Creates a plan with the selection and the parts of `plan`, and checks it.
fn new_checked(plan: &ReadPlan, output: Option<Selection>) -> Result<ReadPlan, PlanError> {
    let axes = planned_axes::<PlanError>(&plan.array, plan.selection(), &|| Ok(()))?;
    ReadPlan::with_axes(plan.array.clone(), axes, output, plan.parts.clone())
}

/// Returns the chunks that the parts of a plan touch, part by part.
fn chunks(plan: &ReadPlan) -> Vec<Vec<usize>> {
    let mut chunks = Vec::new();
    for part in plan.parts() {
        chunks.extend(
            part.chunks()
                .parts()
                .map(|chunk| Vec::from_iter(chunk.chunk())),
        );
    }
    chunks
}

/// Returns the plan of a random slice of an array with at most 4 axes. The array may be sharded or uncompressed.
fn random_plan(random: &mut Random) -> ReadPlan {
    const ITEMS: [&str; 12] = [
        ":", "::-1", "1:", ":-1", "::2", "::-3", "2:9:4", "-1::-5", "0", "-1", "1::7", ":0",
    ];
    let rank = random.below(5);
    let max_len = [1, 40, 14, 8, 5][rank];
    let shape: Vec<usize> = (0..rank).map(|_| 1 + random.below(max_len)).collect();
    let inner: Vec<usize> = (0..rank).map(|_| 1 + random.below(4)).collect();
    let chunk_shape: Vec<usize> = inner
        .iter()
        .map(|len| len * (1 + random.below(3)))
        .collect();
    let mut items: Vec<String> = Vec::new();
    let (mut end, with_joined) = (0, random.below(3) == 0);
    for (axis, &size) in shape.iter().enumerate() {
        if axis < end {
            continue;
        }
        end = axis + 1;
        if with_joined && random.below(2) == 0 {
            let (item, count) = joined(random, &shape[axis..]);
            items.push(item);
            end = axis + count;
            continue;
        }
        if random.below(6) == 0 {
            items.push("newaxis".into());
        }
        // `:0`, which selects nothing, is rarely among the items.
        let item_count = 11 + usize::from(random.below(8) == 0);
        items.push(match random.below(4) {
            0 => list(random, size),
            _ => ITEMS[random.below(item_count)].into(),
        });
    }
    let mut array = array(&shape, &chunk_shape);
    array.uncompressed = random.below(3) == 0;
    if random.below(2) == 0 {
        array.inner_chunk_shape = Some(inner);
        array.index_bytes = random.below(200) as u64;
    }
    plan(&items.join(", "), array)
}

#[test]
fn the_plans_of_a_split_together_cover_the_whole_plan() {
    let mut random = Random(21);
    let mut split_counts = [0; 8];
    for _ in 0..if cfg!(miri) { 40 } else { 4000 } {
        let whole = random_plan(&mut random);
        let n = random.below(9);
        let plans: Vec<ReadPlan> = whole.split(n).collect();
        assert_eq!(plans.len(), n.clamp(1, whole.touched_chunks().max(1)));
        split_counts[plans.len().min(7)] += 1;
        check(&whole, &plans);

        // Each plan is split again, into a random number of plans.
        let again: Vec<ReadPlan> = plans
            .iter()
            .flat_map(|plan| plan.split(1 + random.below(4)))
            .collect();
        check(&whole, &again);
    }
    if !cfg!(miri) {
        assert!(
            split_counts[1..].iter().all(|&n| n > 50),
            "too few splits into some number of plans: {split_counts:?}"
        );
    }
}

fn check(whole: &ReadPlan, plans: &[ReadPlan]) {
    let mut filled = vec![0_u8; whole.selection().len()];
    let mut touched = Vec::new();
    for plan in plans {
        if plan.joined_axes().is_none() {
            let new_plan = new_checked(plan, Some((*plan.output).clone()));
            assert_eq!(new_plan.as_ref(), Ok(plan));
        }
        assert_eq!(plan.is_empty(), whole.is_empty());
        let mut elements = 0;
        for part in plan.parts() {
            // Each element of the part is copied to its position in the result.
            let (output, selection) = (part.output(), part.selection());
            assert_eq!((output.len(), selection.len()), (part.len(), part.len()));
            let all: Vec<usize> = whole.selection().indices().collect();
            assert_eq!(
                output.gather(&all).unwrap(),
                Vec::from_iter(selection.indices())
            );
            output
                .scatter_add(&vec![1; part.len()], &mut filled)
                .unwrap();
            elements += part.len();
        }
        let plan_chunks = chunks(plan);
        assert_eq!(
            (plan.elements(), plan.touched_chunks()),
            (elements, plan_chunks.len())
        );
        touched.extend(plan_chunks);
    }
    assert!(filled.iter().all(|&times| times == 1));
    let distinct = BTreeSet::from_iter(touched.iter());
    assert_eq!(
        (distinct.len(), touched.len()),
        (touched.len(), whole.touched_chunks())
    );
    let sum = |count: fn(&ReadPlan) -> u64| plans.iter().map(count).sum::<u64>();
    assert_eq!(sum(ReadPlan::max_bytes), whole.max_bytes());
    assert_eq!(sum(ReadPlan::output_bytes), whole.output_bytes());
    assert_eq!(
        sum(|plan| plan.inner_chunks() as u64),
        whole.inner_chunks() as u64
    );
    assert_eq!(sum(|plan| plan.requests() as u64), whole.requests() as u64);
}

/// Checks that the number of bytes of each plan differs from an equal share by at most one chunk.
#[test]
fn plans_of_a_split_have_nearly_equal_numbers_of_bytes() {
    let mut sharded = array(&[1000, 1000], &[60, 60]);
    sharded.inner_chunk_shape = Some(vec![10, 10]);
    sharded.index_bytes = 16 * 36 + 4;
    let max_difference = 36 * 400 + sharded.index_bytes;
    for spec in [":", "::-1, 5:-5", "7:, ::-3", "::61, :", ":, ::7"] {
        let whole = plan(spec, sharded.clone());
        for n in [2, 3, 5, 8, 13, 16] {
            let equal_share = whole.max_bytes() / n;
            for part in whole.split(n as usize) {
                let bytes = part.max_bytes();
                assert!(
                    bytes.abs_diff(equal_share) <= max_difference,
                    "{spec} in {n} plans: {bytes} bytes differ too much from {equal_share}"
                );
            }
        }
    }
}

#[test]
fn splits_of_uncompressed_arrays_count_only_selected_elements() {
    let mut array = array(&[1000, 1000], &[100, 100]);
    array.uncompressed = true;
    // The first row of chunks has five selected rows, the next two have 100 each, and the last has five.
    let whole = plan("95:305", array);
    let elements: Vec<usize> = whole.split(4).map(|plan| plan.elements()).collect();
    assert_eq!(elements, [55_000, 50_000, 50_000, 55_000]);
}

#[test]
fn plans_for_a_chunked_output_fill_whole_chunks() {
    let mut random = Random(22);
    let mut split_count = 0;
    for _ in 0..if cfg!(miri) { 40 } else { 4000 } {
        let whole = random_plan(&mut random);
        let shape = whole.shape().iter();
        let output_chunks: Vec<usize> = shape.map(|&len| 1 + random.below(len + 1)).collect();
        let plans = whole
            .split_for(1 + random.below(6), &output_chunks)
            .unwrap();
        let plans: Vec<ReadPlan> = plans.collect();
        check(&whole, &plans);
        split_count += usize::from(plans.len() > 1);
        for plan in &plans {
            assert!(plan.fills_whole(&output_chunks).unwrap());
            // The plan is split again for the same output.
            let again: Vec<_> = plan.split_for(3, &output_chunks).unwrap().collect();
            assert!(
                again
                    .iter()
                    .all(|plan| plan.fills_whole(&output_chunks).unwrap())
            );
            let parts = |plan: &ReadPlan| plan.parts().map(|part| part.len()).sum::<usize>();
            assert_eq!(again.iter().map(parts).sum::<usize>(), plan.elements());
        }
    }
    assert!(
        cfg!(miri) || split_count > 500,
        "too few splits into several plans: {split_count}"
    );
    let plan = plan("::2", array(&[1000], &[100]));
    let half = plan.split(2).next().unwrap();
    assert_eq!(half.fills_whole(&[250]), Ok(true));
    assert_eq!(half.fills_whole(&[200]), Ok(false));
    let error = PlanError::EmptyChunk { axis: 0 };
    assert_eq!(plan.split_for(2, &[0]).err(), Some(error.clone()));
    assert_eq!(plan.fills_whole(&[0]), Err(error));
    assert!(plan.split_for(2, &[]).is_err());
}

/// Splits plans that touch too many chunks to loop over, both into three plans and into one plan for each chunk.
#[test]
fn plans_for_axes_of_maximum_length_can_be_split() {
    const MAX: usize = isize::MAX as usize;
    const CHUNK: usize = 1 << (usize::BITS - 24);
    for (spec, chunk) in [("::-1", 1), (":", 3), ("::5", 1 << 20), ("1::-1", 1)] {
        let whole = plan(spec, array(&[MAX], &[chunk]));
        let mut plans = whole.split(usize::MAX);
        assert_eq!(plans.len(), whole.touched_chunks());
        assert_eq!(plans.next().unwrap().touched_chunks(), 1);
        let touched_counts: Vec<usize> = whole.split(3).map(|plan| plan.touched_chunks()).collect();
        assert_eq!(touched_counts.iter().sum::<usize>(), whole.touched_chunks());
        assert!(
            touched_counts.iter().max().unwrap() - touched_counts.iter().min().unwrap() <= 1,
            "the numbers of touched chunks differ by more than 1: {touched_counts:?}"
        );
        let for_output: Vec<_> = whole.split_for(3, &[CHUNK]).unwrap().collect();
        assert!(
            for_output
                .iter()
                .all(|plan| plan.fills_whole(&[CHUNK]).unwrap())
        );
    }
    let plan = plan("0", array(&[MAX], &[MAX]));
    let all_bytes = (MAX as u64).saturating_mul(4);
    assert_eq!((plan.max_bytes(), plan.output_bytes()), (all_bytes, 4));
}

#[test]
fn invalid_plans_are_rejected() {
    let selection = s![::-1].resolve(&[10]).unwrap();
    let new = |array| ReadPlan::new(array, selection.clone());
    let mut wrong = array(&[10], &[4]);
    wrong.inner_chunk_shape = Some(vec![3]);
    let (axis, chunk, inner) = (0, 4, 3);
    assert_eq!(
        new(wrong),
        Err(PlanError::InnerChunks { axis, chunk, inner })
    );
    assert_eq!(
        new(array(&[11], &[4])).unwrap_err().to_string(),
        "shapes differ: expected (10,), but got (11,)"
    );
    for wrong in [array(&[10, 1], &[4, 1]), array(&[10], &[4, 1])] {
        assert!(matches!(new(wrong), Err(PlanError::Slice(_))));
    }
    let empty = PlanError::EmptyChunk { axis: 0 };
    assert_eq!(new(array(&[10], &[0])), Err(empty));
    assert!(matches!(
        new(array(&[1; 65], &[1; 65])),
        Err(PlanError::TooManyAxes { rank: 65 })
    ));

    let nothing = plan(":0", array(&[10], &[4]));
    assert_eq!((nothing.parts().len(), nothing.touched_chunks()), (0, 0));
    let mut plans = nothing.split(5).map(|plan| plan.is_empty());
    assert_eq!((plans.next(), plans.next()), (Some(true), None));
    let one = plan("3", array(&[10], &[4]));
    assert_eq!(
        (one.parts().len(), one.shape(), one.split(5).len()),
        (1, &[][..], 1)
    );
}

/// Checks axes with so many ends of output chunks that only some of them are listed as possible cuts.
#[test]
fn long_axes_are_cut_only_where_input_and_output_chunks_end() {
    for (size, input_chunk, output_chunk, step) in [
        (131_073, 2, 1, 1),
        (200_000, 4, 2, 1),
        (600_000, 10, 5, 1),
        (1 << 20, 3, 1, 1),
        (1 << 20, 7, 2, 1),
        (1 << 20, 6, 4, -1),
        (1 << 20, 6, 1, 2),
        (1 << 20, 1, 3, 1),
    ] {
        let array = ChunkedArray {
            shape: vec![size],
            item_size: 1,
            chunk_shape: vec![input_chunk],
            ..ChunkedArray::default()
        };
        let slice: DynSliceSpec = alloc::format!("::{step}").parse().unwrap();
        let plan = ReadPlan::new(array, slice.resolve(&[size]).unwrap()).unwrap();
        let plans: Vec<_> = plan.split_for(8, &[output_chunk]).unwrap().collect();
        assert_eq!(
            plans.len(),
            8,
            "length {size}, input chunks of {input_chunk}, output chunks of {output_chunk}, step {step}"
        );
        let mut elements = 0;
        for part in plans {
            assert!(part.fills_whole(&[output_chunk]).unwrap());
            assert!(part.elements() < plan.elements() / 6);
            elements += part.elements();
            let result = new_checked(&part, None);
            assert!(result.is_ok(), "the plan is invalid: {result:?}");
        }
        assert_eq!(elements, plan.elements());
    }
}

#[test]
fn addresses_and_data_types_are_escaped_when_they_are_printed() {
    let mut array = array(&[11], &[4]);
    array.data_type = "u8\nresult (0,)".into();
    let plan = ReadPlan::new(array, s![:].resolve(&[11]).unwrap()).unwrap();
    let plan = plan.with_address("a\u{1b}[2J\u{202e}\\\"b");
    let text = plan.to_string();
    let first_line = text.lines().next().unwrap();
    assert_eq!(
        first_line,
        "array   a\\u{1b}[2J\\u{202e}\\\"b, (11,) of u8\\nresult (0,) in chunks (4,)"
    );
}
