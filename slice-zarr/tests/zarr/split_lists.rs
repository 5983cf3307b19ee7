//! Splits plans with lists, and checks that each resulting plan contains only its own positions of the lists.

use std::sync::Arc;

use ndarray::ArrayD;
use serde_json::{Value, json};
use slice_core::{AxisPositions, AxisRange, ListedAxes, ResolvedStep, Selection, s};
use slice_zarr::{AccessOptions, ChunkedArray, PlanSlice, ReadPlan, ReadSlice, WriteSlice};
use zarrs::array::{Array, ArrayBuilder, data_type};
use zarrs::storage::store::MemoryStore;

use crate::random::Random;

type Memory = Array<MemoryStore>;

/// Creates an array of length `len` with chunks of length `chunk`. Each element is equal to its position.
fn array_of_positions(len: usize, chunk: usize) -> Memory {
    let builder = ArrayBuilder::new(
        vec![len as u64],
        vec![chunk as u64],
        data_type::uint32(),
        0_u32,
    );
    let array = builder.build(Arc::new(MemoryStore::new()), "/").unwrap();
    let data = ndarray::Array1::from_iter(0..len as u32);
    array.write_slice("...", &data).unwrap();
    array
}

fn to_json(plan: &ReadPlan) -> String {
    serde_json::to_string(plan).unwrap()
}

fn to_postcard(plan: &ReadPlan) -> Vec<u8> {
    postcard::to_allocvec(plan).unwrap()
}

/// Each plan contains only its own list positions and the output positions that they fill. A hundred serialized plans
/// are therefore together only a few times as long as the whole plan.
#[test]
fn plans_of_a_split_contain_only_their_own_positions() {
    const LEN: usize = 1_000_000;
    let array = array_of_positions(LEN, 1000);
    let mut random = Random(35);
    let unordered: Vec<usize> = (0..50_000).map(|_| random.below(LEN)).collect();
    let mut sorted = unordered.clone();
    sorted.sort_unstable();
    let runs: Vec<usize> = (0..5000)
        .flat_map(|_| {
            let begin = random.below(LEN - 10);
            begin..begin + 10
        })
        .collect();
    // The two limits apply to the total length of the plans and to the length of the longest plan, both in thousandths
    // of the length of the whole plan.
    for (name, list, limits) in [
        ("unordered", &unordered, [2200, 30]),
        ("sorted", &sorted, [1400, 30]),
        ("runs", &runs, [2600, 40]),
    ] {
        let plan = array.plan_slice(s![&list]).unwrap();
        let plans: Vec<ReadPlan> = plan.split(100).collect();
        assert_eq!(plans.len(), 100);
        let lens: [fn(&ReadPlan) -> usize; 2] =
            [|plan| to_json(plan).len(), |plan| to_postcard(plan).len()];
        for len in lens {
            let whole = len(&plan);
            let total_len: usize = plans.iter().map(len).sum();
            let max_len = plans.iter().map(len).max().unwrap();
            let thousandths = [total_len, max_len].map(|len| len * 1000 / whole);
            let fits = thousandths
                .iter()
                .zip(limits)
                .all(|(&len, limit)| len <= limit);
            assert!(
                fits,
                "{name}: the plans are too long: {thousandths:?} thousandths instead of at most {limits:?}"
            );
        }
        let elements: usize = plans.iter().map(ReadPlan::elements).sum();
        assert_eq!(elements, list.len());

        let mut out = ArrayD::<u32>::zeros(plan.shape());
        for (number, part) in plans.iter().enumerate() {
            assert_eq!(part.shape(), plan.shape());
            let received_plan: ReadPlan = match number % 2 {
                0 => serde_json::from_str(&to_json(part)).unwrap(),
                _ => postcard::from_bytes(&to_postcard(part)).unwrap(),
            };
            assert_eq!(&received_plan, part);
            // Splitting the plan again must create the same plans before and after serialization.
            assert!(received_plan.split(3).eq(part.split(3)));
            for part in received_plan.split(3) {
                let part: ReadPlan = serde_json::from_str(&to_json(&part)).unwrap();
                let options = AccessOptions::new().workers(1 + number % 3);
                part.run_into(&array, out.view_mut(), &options).unwrap();
            }
        }
        assert!(
            out.iter()
                .zip(list)
                .all(|(&element, &position)| element as usize == position),
            "{name}: incorrect elements"
        );
    }
}

/// Checks that unsorted lists are split at positions where the resulting plans fill whole chunks of the output.
#[test]
fn unsorted_lists_are_split_between_chunks_of_the_output() {
    let array = array_of_positions(1000, 50);
    // `reordered` contains four runs of 100 positions, which are not in order. `descending` and `repeated` are in
    // descending order. In `mixed`, each position is 7 larger than the previous one, modulo 1000.
    let reordered = [3, 9, 0, 7].map(|k| (100 * k..100 * k + 100).collect::<Vec<usize>>());
    let reordered = reordered.concat();
    let descending: Vec<usize> = (0..1000).rev().filter(|k| k % 7 < 5).collect();
    let repeated: Vec<usize> = (0..500).flat_map(|k| [k, k]).rev().collect();
    let mixed: Vec<usize> = (0..400).map(|k| k * 7 % 1000).collect();
    for (name, list, chunk, plans) in [
        ("reordered", &reordered, 100, 4),
        ("reordered", &reordered, 50, 8),
        ("reordered", &reordered, 30, 1),
        ("reordered", &reordered, 200, 1),
        ("descending", &descending, 250, 2),
        ("repeated", &repeated, 100, 8),
        ("mixed", &mixed, 10, 1),
    ] {
        let plan = array.plan_slice(s![&list]).unwrap();
        let output = ArrayBuilder::new(
            vec![list.len() as u64],
            vec![chunk as u64],
            data_type::uint32(),
            0_u32,
        );
        let output = output.build(Arc::new(MemoryStore::new()), "/").unwrap();
        let split = plan.split_for(8, &[chunk]).unwrap();
        assert!(
            split.len() >= plans,
            "{name}, chunk length {chunk}: too few plans: {}",
            split.len()
        );
        for part in split {
            assert_eq!(part.fills_whole(&[chunk]), Ok(true));
            let part: ReadPlan = serde_json::from_str(&to_json(&part)).unwrap();
            part.run_to(&array, &output, &AccessOptions::new()).unwrap();
        }
        let out = output.read_slice::<u32>("...").unwrap();
        let same = out
            .iter()
            .zip(list)
            .all(|(&element, &position)| element as usize == position);
        assert!(same, "{name}, chunk length {chunk}: incorrect elements");
    }
    // `split` does not take the output's chunks into account, so this plan fills some of them only partly.
    let half = array
        .plan_slice(s![&mixed])
        .unwrap()
        .split(2)
        .next()
        .unwrap();
    assert_eq!(half.fills_whole(&[10]), Ok(false));
}

fn plan_with_the_whole_list() -> Value {
    json!({
        "version": 1,
        "array": {
            "address": "", "shape": [100], "data_type": "uint32", "item_size": 4, "chunk_shape": [10],
            "uncompressed": true,
        },
        "axes": [{ "start": 0, "step": 1, "len": 5 }],
        "output_axes": [{ "input": 0 }],
        "parts": [{ "begin": [3], "end": [5] }],
        "lists": [{ "axis": 0, "positions": [71, 3, 40, 3, 4] }],
    })
}

/// Checks that a plan may contain all positions of a list although its parts cover only some of them, and that only plans
/// of the current version are accepted.
#[test]
fn plans_may_contain_more_positions_than_their_parts() {
    let array = array_of_positions(100, 10);
    let plan: ReadPlan = serde_json::from_value(plan_with_the_whole_list()).unwrap();
    assert_eq!(plan.shape(), [5]);
    let mut out = ArrayD::<u32>::zeros(plan.shape());
    plan.run_into(&array, out.view_mut(), &AccessOptions::new())
        .unwrap();
    assert_eq!(out.as_slice().unwrap(), [71, 0, 40, 0, 0]);
    assert_eq!(
        serde_json::to_value(&plan).unwrap(),
        plan_with_the_whole_list()
    );

    // A plan that was created by a split contains only its own positions.
    let whole = array.plan_slice(s![[71, 3, 40, 3, 4, 90]]).unwrap();
    let new = serde_json::to_value(whole.split(2).nth(1).unwrap()).unwrap();
    assert_eq!(new["version"], 1);
    assert_eq!(
        new["lists"],
        json!([{ "axis": 0, "positions": [71, 40, 90] }])
    );
    let places = json!([{ "axis": 0, "size": 6, "positions": [0, 2, 5] }]);
    assert_eq!(new["places"], places);

    let mut bytes = to_postcard(&whole);
    assert_eq!(bytes[0], 1);
    bytes[0] = 2;
    assert!(postcard::from_bytes::<ReadPlan>(&bytes).is_err());
    let mut newer = plan_with_the_whole_list();
    newer["version"] = json!(2);
    let error = serde_json::from_value::<ReadPlan>(newer).unwrap_err();
    let message = "the plan has version 2, but only version 1 is supported; use the version of slice-zarr that created the plan";
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn plans_with_invalid_places_are_rejected() {
    let whole = array_of_positions(100, 10)
        .plan_slice(s![[71, 3, 40, 3, 4]])
        .unwrap();
    let good = serde_json::to_value(whole.split(2).nth(1).unwrap()).unwrap();
    let ascending =
        "axis 0 of the result must have one place for each selected position, in ascending order";
    for (places, message) in [
        (
            json!([{ "axis": 0, "size": 5, "positions": [2, 0] }]),
            ascending,
        ),
        (
            json!([{ "axis": 0, "size": 5, "positions": [2, 2] }]),
            ascending,
        ),
        (
            json!([{ "axis": 0, "size": 5, "positions": [2] }]),
            ascending,
        ),
        (
            json!([{ "axis": 0, "size": 5, "runs": [[1, 0, 2]] }]),
            ascending,
        ),
        (
            json!([{ "axis": 0, "size": 5, "runs": [[1, -1, 2]] }]),
            ascending,
        ),
        (json!([{ "axis": 0, "size": 2, "positions": [0, 2] }]), "2"),
        (
            json!([{ "axis": 0, "size": 5 }]),
            "the list for axis 0 must have either `positions` or `runs`",
        ),
        (
            json!([{ "axis": 1, "size": 5, "positions": [0, 2] }]),
            "there are places for axis 1, but the result has 1 axes",
        ),
        (
            json!([{ "axis": 0, "size": u64::MAX, "positions": [0, 2] }]),
            "18446744073709551615",
        ),
    ] {
        let mut wrong = good.clone();
        wrong["places"] = places;
        let error =
            serde_json::from_value::<ReadPlan>(wrong.clone()).expect_err(&wrong.to_string());
        assert!(error.to_string().contains(message), "{error}");
    }
}

#[test]
fn empty_lists_are_serialized() {
    let positions = AxisPositions::from_positions([]);
    let empty = ListedAxes::from_positions(1, &[0], positions).unwrap();
    let steps = [
        ResolvedStep::Keep(AxisRange::new(9, -1, 10)),
        ResolvedStep::List(&empty),
    ];
    let array = ChunkedArray {
        shape: vec![10, 8],
        data_type: "int16".into(),
        item_size: 2,
        chunk_shape: vec![4, 3],
        ..ChunkedArray::default()
    };
    let plan = ReadPlan::new(array, Selection::from_steps(&[10, 8], steps).unwrap()).unwrap();
    let text = to_json(&plan);
    let read: ReadPlan = serde_json::from_str(&text).unwrap();
    assert_eq!((read.shape(), read.parts().count()), (&[10, 0][..], 0));
    let read: ReadPlan = postcard::from_bytes(&to_postcard(&plan)).unwrap();
    assert_eq!((read.shape(), read.parts().count()), (&[10, 0][..], 0));

    // An empty list of one axis counts as a range, but may be written as a list.
    let listed = text.replace(r#""parts":"#, r#""lists":[{"axis":1}],"parts":"#);
    assert_eq!(serde_json::from_str::<ReadPlan>(&listed).unwrap(), plan);
    let wrong = listed.replace(r#""len":0"#, r#""len":1"#);
    let error = serde_json::from_str::<ReadPlan>(&wrong).unwrap_err();
    let message = "axis 1 has a list of 0 positions";
    assert!(error.to_string().contains(message), "{error}");
}

#[test]
fn repeated_new_axes_are_serialized() {
    let array = array_of_positions(10, 4);
    let selection = s![newaxis].resolve(&[10]).unwrap();
    let repeated = s![[0, 0, 0]].resolve(selection.output_shape()).unwrap();
    let plan = array
        .plan_slice(selection.compose(&repeated).unwrap())
        .unwrap();
    let read: ReadPlan = serde_json::from_str(&to_json(&plan)).unwrap();
    assert_eq!((read.shape(), &read), (&[3, 10][..], &plan));
    let mut out = ArrayD::<u32>::zeros(plan.shape());
    read.run_into(&array, out.view_mut(), &AccessOptions::new())
        .unwrap();
    assert_eq!(out, array.read_slice::<u32>(plan.selection()).unwrap());

    let huge = to_json(&plan).replace(r#"{"new":3}"#, r#"{"new":9223372036854775807}"#);
    assert!(serde_json::from_str::<ReadPlan>(&huge).is_err());
}

#[test]
fn lists_of_more_positions_than_memory_cause_an_error() {
    for exponent in [40, 62] {
        let len = 1_u64 << exponent;
        let text = format!(
            r#"{{"version":1,"array":{{"address":"","shape":[2,2],"data_type":"uint8","item_size":1,"chunk_shape":[2,2]}},
            "axes":[{{"start":0,"step":1,"len":{len}}},{{"start":0,"step":1,"len":{len}}}],"output_axes":[{{"input":0}}],"parts":[],
            "lists":[{{"axis":0,"axes":2,"runs":[[0,0,{len}]]}}]}}"#
        );
        let error = serde_json::from_str::<ReadPlan>(&text).unwrap_err();
        assert!(error.to_string().contains(&len.to_string()), "{error}");
    }
}
