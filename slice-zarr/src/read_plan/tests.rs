//! Tests plans and splits. Together, the plans of a split must read the same elements as the whole plan, and no two of
//! them may share a chunk.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use slice_core::{DynOuterSpec, DynSliceSpec, SliceError, s};

use super::{ChunkedArray, PlanError, ReadPlan, SplitId, SplitPlace, SplitProgress};
use crate::chunks::lists::tests::list;
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
    let spec: DynOuterSpec = spec.parse().unwrap();
    let selection = spec.resolve(&array.shape).unwrap();
    ReadPlan::new(array, selection).unwrap()
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
    for &size in &shape {
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
        let new_plan = ReadPlan::new_checked(
            plan.array.clone(),
            plan.selection().clone(),
            Some((*plan.output).clone()),
            plan.parts.clone(),
            plan.split,
        );
        assert_eq!(new_plan.as_ref(), Ok(plan));
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
    let error = PlanError::Slice(SliceError::EmptyChunk { axis: 0 });
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

/// Checks that two splits have different IDs if and only if they differ.
#[test]
fn every_split_has_its_own_id() {
    let base = || array(&[100, 60], &[10, 10]);
    let mut plans = vec![plan("::2, :", base())];
    for change in [
        (|array| array.address = "a".into()) as fn(&mut ChunkedArray),
        |array| array.data_type = "uint32".into(),
        |array| array.item_size = 8,
        |array| array.chunk_shape = vec![10, 20],
        |array| array.inner_chunk_shape = Some(vec![5, 5]),
        |array| array.index_bytes = 1,
        |array| array.uncompressed = true,
    ] {
        let mut array = base();
        change(&mut array);
        plans.push(plan("::2, :", array));
    }
    for spec in [
        "::2, ::-1",
        "1::2, :",
        "::2, 1:",
        "::2, newaxis, :",
        "::2, :, newaxis",
    ] {
        plans.push(plan(spec, base()));
    }
    // The plans of two splits of the same plan are split, too.
    let (halves, thirds) = (plans[0].split(2), plans[0].split(3));
    plans.extend(halves.chain(thirds).collect::<Vec<_>>());
    let (mut ids, mut splits) = (BTreeSet::new(), BTreeSet::new());
    for (number, plan) in plans.iter().enumerate() {
        for n in 1..6 {
            for len in [None, Some(1), Some(2), Some(10)] {
                let split = match len {
                    Some(len) => plan.split_for(n, &vec![len; plan.shape().len()]).unwrap(),
                    None => plan.split(n),
                };
                // A split may have fewer than `n` plans, so its actual number of plans is recorded.
                splits.insert((number, split.len(), len));
                ids.insert(split.id());
                assert_eq!(split.id().plans(), split.len());
            }
        }
    }
    assert_eq!(ids.len(), splits.len());
    assert!(ids.len() > 200, "too few different IDs: {}", ids.len());
}

#[test]
fn each_plan_of_a_split_contains_its_number_and_the_id_of_the_split() {
    let whole = plan("::2, :", array(&[100, 60], &[10, 10]));
    assert_eq!(whole.split_place(), None);
    let split = whole.split(7);
    let id = split.id();
    for (number, plan) in split.enumerate() {
        assert_eq!(
            plan.split_place(),
            Some(SplitPlace::new(id, number).unwrap())
        );
        let message = format!("plan {number} of 7 of the split {id}");
        assert!(plan.to_string().contains(&message), "{plan}");
    }
    let (number, plans) = (7, 7);
    assert_eq!(
        SplitPlace::new(id, 7),
        Err(PlanError::SplitNumber { number, plans })
    );

    let text = id.to_string();
    assert_eq!((text.len(), text.parse()), (34, Ok(id)));
    for wrong in [
        "",
        "-",
        "-7",
        "7",
        &text[1..],
        &text[..33],
        &text[..32],
        &text.replace('-', "-0"),
        &text.replace('-', "-+"),
        &text.replace("-7", "-0"),
        &text.replace("-7", "--7"),
        &format!("+{}", &text[1..]),
        &format!(" {text}"),
        &format!("{text} "),
        &format!("{text}{}", u64::MAX),
        &format!("0{text}"),
    ] {
        assert_eq!(
            wrong.parse::<SplitId>(),
            Err(PlanError::SplitId),
            "{wrong:?}"
        );
    }
}

/// Adds random plans of a split, some of them repeatedly, and plans that do not belong to the split.
#[test]
fn progress_lists_missing_and_repeated_plans() {
    let mut random = Random(32);
    for _ in 0..if cfg!(miri) { 10 } else { 500 } {
        let whole = random_plan(&mut random);
        let split = whole.split(1 + random.below(12));
        let (id, plans) = (split.id(), split.collect::<Vec<_>>());
        let others: Vec<ReadPlan> = whole.split(plans.len() + 1).collect();
        let mut times = vec![0; plans.len()];
        let mut progress = SplitProgress::new(id);
        for _ in 0..random.below(20) {
            let number = random.below(plans.len());
            times[number] += 1;
            assert_eq!(progress.add(plans[number].split_place()), Ok(()));
            for other in [&whole, &others[random.below(others.len())]] {
                let place = other.split_place();
                if place.is_none_or(|place| place.id() != id) {
                    let error = PlanError::OtherSplit { split: id, place };
                    assert_eq!(progress.add(place), Err(error));
                }
            }
        }
        let which = |wanted: fn(usize) -> bool| {
            let numbers = (0..plans.len()).filter(|&number| wanted(times[number]));
            numbers.collect::<Vec<_>>()
        };
        let missing: Vec<usize> = progress.missing().into_iter().flatten().collect();
        assert_eq!(missing, which(|times| times == 0));
        assert_eq!(progress.is_complete(), missing.is_empty());
        let repeated: Vec<usize> = progress.repeated().map(|(number, _)| number).collect();
        assert_eq!(repeated, which(|times| times > 1));
        assert!((0..plans.len()).all(|number| progress.times(number) == times[number]));
    }
    // This split has too many plans to list them one by one.
    let id: SplitId = format!("{:032x}-{}", 7, usize::MAX).parse().unwrap();
    let progress = SplitProgress::new(id);
    assert_eq!(progress.missing(), core::slice::from_ref(&(0..usize::MAX)));
}

/// Draws arrays with one axis of length 0, alone or among long axes.
#[test]
fn arrays_without_elements_can_be_drawn() {
    const LONG: usize = 1 << (usize::BITS / 2);
    for shape in [
        &[LONG, LONG, 0][..],
        &[LONG, 0, LONG],
        &[0, LONG, LONG],
        &[LONG, LONG, LONG, 0, LONG, LONG],
        &[isize::MAX as usize, 0, isize::MAX as usize],
        &[0],
    ] {
        for spec in [":", "::-1", "1:, ...", "..., newaxis"] {
            let picture = plan(spec, array(shape, &vec![1; shape.len()])).picture();
            assert!(picture.to_string().starts_with("the grid of chunks"));
            assert!(picture.to_svg().starts_with("<svg "));
        }
    }
}

/// Checks that the chunks of a list are numbered in C order of the chunk grid, whatever the order of the list.
#[test]
fn chunks_of_lists_are_numbered_in_grid_order() {
    let whole = plan("[31, 2, 45, 2], 15:35", array(&[50, 50], &[10, 10]));
    let picture = "\
the grid of chunks of shape (5, 5)
       0  1  2  3  4   axis 1
  0    .  0  1  2  .
  1    .  .  .  .  .
  2    .  .  .  .  .
  3    .  3  4  5  .
  4    .  6  7  8  .
axis 0
";
    assert_eq!(whole.picture().to_string(), picture);
    // The second plan of the split contains only the list positions that it reads, so its chunks are numbered from 0.
    let second = whole.split(3).nth(1).unwrap();
    let picture = "\
the grid of chunks of shape (5, 5)
       0  1  2  3  4   axis 1
  0    .  .  .  .  .
  1    .  .  .  .  .
  2    .  .  .  .  .
  3    .  0  1  2  .
  4    .  .  .  .  .
axis 0
";
    assert_eq!(second.picture().to_string(), picture);
    assert!(whole.picture().to_svg().contains("<svg "));
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
    for wrong in [
        array(&[10, 1], &[4, 1]),
        array(&[10], &[4, 1]),
        array(&[10], &[0]),
    ] {
        assert!(matches!(new(wrong), Err(PlanError::Slice(_))));
    }
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

#[test]
fn arrays_with_too_many_chunks_to_count_can_be_drawn() {
    let len = 1 << (usize::BITS - 2);
    let plan = plan("...", array(&[len, len, 0], &[1, 1, 1]));
    let picture = plan.picture().to_string();
    assert!(
        picture.starts_with("the grid of chunks of shape"),
        "{picture}"
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
            let result = ReadPlan::new_checked(
                part.array.clone(),
                part.selection().clone(),
                None,
                part.parts.clone(),
                None,
            );
            assert!(result.is_ok(), "the plan is invalid: {result:?}");
        }
        assert_eq!(elements, plan.elements());
    }
}
