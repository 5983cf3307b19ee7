//! Checks that parsing an untrusted read plan returns a valid plan or an error, and that plans can be split.

use arbitrary::{Arbitrary, Unstructured};
use serde_json::Value;
use slice_core::{DynSliceSpec, Item};
use slice_zarr::{ChunkedArray, PlanError, ReadPlan};

use super::input::{BoundOrStep, SliceOfSmallArray};
use super::lists::{item, truncate};

/// The maximum product of the lengths of all lists in a slice.
const MAX_LISTED_ELEMENTS: usize = 3000;

/// A slice of a chunked array, and changes to the serialized plan for the slice.
#[derive(Debug, Arbitrary)]
pub struct Case {
    slice: SliceOfSmallArray<100_000>,
    chunks: [BoundOrStep; 7],
    inner: Option<[u8; 7]>,
    index_bytes: u16,
    uncompressed: bool,
    plans: u8,
    output_chunks: [BoundOrStep; 7],
    changes: Vec<(u16, BoundOrStep)>,
    /// Random bytes from which lists and masks are created. The lists and masks replace some of the items. If there are
    /// no bytes, no item is replaced.
    lists: Vec<u8>,
}

/// Checks that the plans of a split together contain all elements of the plan that was split, that a serialized plan is
/// deserialized unchanged, and that a modified serialized plan is either rejected or valid. Returns `true` if a plan
/// can be created for the case.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let Some(whole) = plan(case) else {
        return false;
    };
    let indices: Vec<usize> = whole.selection().indices().collect();
    let mut elements = 0;
    for (number, plan) in whole.split(usize::from(case.plans)).enumerate() {
        check_plan(&plan, Some(&indices));
        elements += plan.elements();
        // The first four plans are also serialized and deserialized, as JSON and with postcard.
        if number < 4 {
            check_serialized(&plan, case);
        }
    }
    assert_eq!(elements, whole.selection().len());
    let axes = case.output_chunks.iter().cycle().map(|len| len.0 as usize);
    let output_chunks: Vec<usize> = axes.take(whole.shape().len()).collect();
    match whole.split_for(usize::from(case.plans), &output_chunks) {
        Ok(plans) => {
            let mut elements = 0;
            for plan in plans {
                assert_eq!(plan.fills_whole(&output_chunks), Ok(true));
                elements += plan.elements();
            }
            assert_eq!(elements, whole.elements());
        }
        Err(error) => assert!(output_chunks.contains(&0), "unexpected error: {error}"),
    }
    true
}

/// Returns the items of the slice, some of them replaced by lists and masks that are usually valid for their axes.
fn items(case: &Case) -> Vec<Item> {
    let SliceOfSmallArray { shape, items } = &case.slice;
    let mut u = Unstructured::new(&case.lists);
    let consuming = items.iter().filter(|item| consumes_axis(item)).count();
    let (mut axis, mut remaining) = (0, MAX_LISTED_ELEMENTS);
    let mut new_items = Vec::new();
    for original in items {
        let mut next = original.clone();
        if *original == Item::Ellipsis {
            axis += shape.len().saturating_sub(consuming);
        }
        if consumes_axis(original) {
            let size = shape.get(axis).copied().unwrap_or(0);
            axis += 1;
            // After the last byte, `arbitrary` returns zeros, so no further item is replaced.
            if u.arbitrary::<u8>().is_ok_and(|tag| tag > 99) {
                next = item(&mut u, size).unwrap_or(next);
            }
        }
        truncate(&mut next, &mut remaining);
        new_items.push(next);
    }
    new_items
}

fn consumes_axis(item: &Item) -> bool {
    !matches!(item, Item::NewAxis | Item::Ellipsis)
}

fn plan(case: &Case) -> Option<ReadPlan> {
    let shape = &case.slice.shape;
    let spec = DynSliceSpec::from_items(items(case)).ok()?;
    let selection = spec.resolve(shape).ok()?;
    if selection.len() > 200_000 {
        return None;
    }
    let chunks = case.chunks.iter().cycle();
    let chunk_shape = chunks.map(|len| len.0.unsigned_abs().clamp(1, 1 << 40) as usize);
    let mut chunk_shape: Vec<usize> = chunk_shape.take(shape.len()).collect();
    let inner = case.inner.map(|inner| {
        let axes = inner.iter().cycle().zip(&mut chunk_shape);
        let axes = axes.map(|(&inner, len)| {
            let inner = usize::from(inner % 8) + 1;
            *len = len.next_multiple_of(inner);
            inner
        });
        axes.collect()
    });
    let array = ChunkedArray {
        address: "a place".into(),
        shape: shape.clone(),
        data_type: "int16".into(),
        item_size: 2,
        chunk_shape,
        inner_chunk_shape: inner,
        index_bytes: case.index_bytes.into(),
        uncompressed: case.uncompressed,
        chunk_memory: case.index_bytes.into(),
    };
    match ReadPlan::new(array, selection) {
        Ok(plan) => Some(plan),
        Err(
            PlanError::Slice(_)
            | PlanError::EmptyChunk { .. }
            | PlanError::ChunkTooLarge { .. }
            | PlanError::TooManyCuts { .. }
            | PlanError::TooManyAxes { .. },
        ) => None,
        Err(error) => panic!("unexpected error: {error}"),
    }
}

/// Checks the properties that hold for every plan. If the plan was created by a split, `whole` contains the indices of the
/// elements that the plan before the split selects, and the parts must read these elements.
fn check_plan(plan: &ReadPlan, whole: Option<&[usize]>) {
    let selection = plan.selection();
    let mut elements = 0;
    for part in plan.parts() {
        let (selection, output) = (part.selection(), part.output());
        assert_eq!((selection.len(), output.len()), (part.len(), part.len()));
        let chunks = part.chunks();
        assert!(!chunks.is_empty() && chunks.len() <= part.len());
        for number in [0, chunks.len() - 1] {
            let chunk = chunks
                .parts_in(number..number + 1)
                .next()
                .expect("the part should contain a chunk");
            assert!(chunk.len() <= part.len());
        }
        for (index, output_index) in [
            (selection.indices().next(), output.indices().next()),
            (selection.indices().last(), output.indices().last()),
        ] {
            let output_index = output_index.expect("the part should contain an element");
            if let Some(whole) = whole {
                assert_eq!(index, Some(whole[output_index]));
            }
        }
        elements += part.len();
    }
    assert_eq!(plan.elements(), elements);
    assert!(elements <= selection.len());
    assert!(plan.touched_chunks() <= plan.inner_chunks() && plan.inner_chunks() <= elements);
    assert!(plan.touched_chunks() as u128 <= plan.all_chunks());
    let _ = (
        plan.to_string(),
        plan.max_bytes(),
        plan.requests(),
        plan.output_bytes(),
    );
    if elements <= 1000 {
        let mut filled: Vec<usize> = plan
            .parts()
            .flat_map(|part| part.output().indices().collect::<Vec<_>>())
            .collect();
        filled.sort_unstable();
        filled.dedup();
        assert_eq!(filled.len(), elements);
    }
}

/// Checks that a serialized plan is deserialized unchanged, and that a modified serialized plan is either rejected or
/// valid.
fn check_serialized(plan: &ReadPlan, case: &Case) {
    let json = serde_json::to_value(plan).expect("the plan should be serializable");
    assert_eq!(
        serde_json::from_value::<ReadPlan>(json.clone())
            .as_ref()
            .ok(),
        Some(plan)
    );
    let bytes = postcard::to_allocvec(plan).expect("the plan should be serializable");
    assert_eq!(postcard::from_bytes::<ReadPlan>(&bytes).as_ref(), Ok(plan));

    let (mut json, mut bytes) = (json, bytes);
    for &(selector, BoundOrStep(number)) in case.changes.iter().take(3) {
        let mut numbers = Vec::new();
        collect_numbers(&mut json, &mut numbers);
        let selector = usize::from(selector);
        let index = selector % numbers.len();
        **numbers
            .get_mut(index)
            .expect("the index should be in the list") = number.into();
        let index = selector % bytes.len();
        bytes[index] = number as u8;
        let json_plan = serde_json::from_value::<ReadPlan>(json.clone()).ok();
        for plan in json_plan
            .iter()
            .chain(&postcard::from_bytes::<ReadPlan>(&bytes).ok())
        {
            // Checking a larger plan element by element would take too long.
            match plan.selection().len() {
                0..200_000 => check_plan(plan, None),
                _ => drop((plan.to_string(), plan.split(3).count())),
            }
        }
    }
}

/// Appends all numbers in a JSON value to `numbers`.
fn collect_numbers<'a>(value: &'a mut Value, numbers: &mut Vec<&'a mut Value>) {
    match value {
        Value::Number(_) => numbers.push(value),
        Value::Array(values) => values
            .iter_mut()
            .for_each(|value| collect_numbers(value, numbers)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|value| collect_numbers(value, numbers)),
        _ => {}
    }
}
