//! Checks that assignments to slices of large arrays give the same results as ndarray's own assignments to views of the
//! same slices. The shapes, steps and element sizes vary, so that different kernels (loops that copy elements) are
//! used.

use std::fmt::Debug;

use fastrand::Rng;
use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, Item, StridedSliceExt};

use super::memory::{LaidOutArray, MemoryLayout};

/// Returns a random shape with one to four axes of length 1 to 3,000, and at most 6,000 elements.
fn shape(rng: &mut Rng) -> Vec<usize> {
    let mut max_elements = 6_000;
    let mut shape = Vec::new();
    for _ in 0..rng.usize(1..=4) {
        let max_size = [3, 5, 17, 64, 300, 3000][rng.usize(0..6)].min(max_elements);
        let size = rng.usize(1..=max_size);
        max_elements /= size;
        shape.push(size);
    }
    shape
}

/// Returns a random slice, which often selects a large part of the array.
fn spec(rng: &mut Rng, shape: &[usize]) -> DynSliceSpec {
    let items = shape.iter().map(|&size| {
        let size = size as i64;
        match rng.u32(0..8) {
            0 => Item::Index(rng.i64(0..size)),
            _ => Item::Range {
                begin: rng.bool().then(|| rng.i64(0..size.min(4))),
                end: rng.bool().then(|| -rng.i64(1..=size.min(4))),
                step: [1, 1, 2, 3, 4, 7, -1, -2, -3][rng.usize(0..9)],
            },
        }
    });
    DynSliceSpec::from_items(items).expect("there should be at most 64 items")
}

/// Returns a random shape that broadcasts to `shape`.
fn value_shape(rng: &mut Rng, shape: &[usize]) -> Vec<usize> {
    let sizes = shape
        .iter()
        .map(|&size| if rng.u32(0..4) == 0 { 1 } else { size });
    let sizes: Vec<_> = sizes.collect();
    let dropped_axes = match rng.u32(0..4) {
        0 => rng.usize(0..=sizes.len()),
        _ => 0,
    };
    sizes[dropped_axes..].to_vec()
}

fn layout(rng: &mut Rng) -> MemoryLayout {
    MemoryLayout::ALL[rng.usize(0..MemoryLayout::ALL.len())]
}

fn check<T: Clone + Default + PartialEq + Debug>(seed: u64, element: impl Fn(u64) -> T) {
    let mut rng = Rng::with_seed(seed);
    for _ in 0..100 {
        let shape = shape(&mut rng);
        let spec = spec(&mut rng, &shape);
        let random_array = |rng: &mut Rng, shape: &[usize]| {
            ArrayD::from_shape_simple_fn(IxDyn(shape), || element(rng.u64(..)))
        };
        let mut ours = LaidOutArray::new(&random_array(&mut rng, &shape), layout(&mut rng));
        let sliced = ours.view().at(&spec).shape().to_vec();
        let value_shape = value_shape(&mut rng, &sliced);
        let value = random_array(&mut rng, &value_shape);
        let value = LaidOutArray::new(&value, layout(&mut rng));
        let assignment = format!("{shape:?}[{spec}] = {:?}", value.view().shape());

        let mut expected = ours.clone();
        expected.view_mut().at_mut(&spec).assign(&value.view());
        ours.view_mut().set(&spec, &value.view());
        assert!(ours == expected, "incorrect result of {assignment}");

        let filler = element(rng.u64(..));
        expected.view_mut().at_mut(&spec).fill(filler.clone());
        ours.view_mut().fill_at(&spec, filler);
        assert!(
            ours == expected,
            "incorrect result of `fill_at` after {assignment}"
        );
    }
}

#[test]
fn assignments_agree_with_ndarray_for_every_element_size() {
    check(1, |x| x as u8);
    check(2, |x| x as u16);
    check(3, |x| x as u32 as f32);
    check(4, |x| x as f64);
    check(5, |x| u128::from(x) << 3);
    check(6, |x| x & 1 != 0);
}

#[test]
fn assignments_of_triples_and_strings_agree_with_ndarray() {
    check(7, |x| [x as u8; 3]);
    check(8, |x| (x % 100).to_string());
}
