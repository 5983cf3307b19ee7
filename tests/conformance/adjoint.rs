//! Checks that `scatter_add` is the adjoint of `gather`: for all `g` and `x`, `<g, gather(x)> == <scatter_add(g), x>`,
//! where `<a, b>` is the dot product.
//!
//! The elements are integers, so the equality is exact.

use fastrand::Rng;
use serde::Deserialize;
use slice_core::Selection;
use slice_systems::{mindspore, onnx, openvino, tensorflow};
use slice_tests::operation::Case;
use slice_tests::{RawItem, generate, read, spec};

fn numbers(rng: &mut Rng, len: usize) -> Vec<i64> {
    (0..len).map(|_| rng.i64(-1000..=1000)).collect()
}

fn dot(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn check(rng: &mut Rng, selection: &Selection) {
    let x = numbers(rng, selection.input_len());
    let g = numbers(rng, selection.len());
    let gathered = selection
        .gather(&x)
        .expect("the buffers should fit the selection");
    let mut scattered = vec![0; x.len()];
    selection
        .scatter_add(&g, &mut scattered)
        .expect("the buffers should fit the selection");
    assert_eq!(dot(&g, &gathered), dot(&scattered, &x), "{selection:?}");

    // A slice without lists selects no element twice. Therefore, `scatter_add` to zeros produces the same result as
    // `scatter` to zeros, and a second `scatter_add` doubles the values.
    let mut stored = vec![0; x.len()];
    selection
        .scatter(&g, &mut stored)
        .expect("the buffers should fit the selection");
    assert_eq!(scattered, stored, "{selection:?}");
    selection
        .scatter_add(&g, &mut scattered)
        .expect("the buffers should fit the selection");
    assert!(
        scattered
            .iter()
            .zip(&stored)
            .all(|(twice, once)| *twice == 2 * once)
    );
}

#[derive(Deserialize)]
struct Slice {
    shape: Vec<usize>,
    items: Vec<RawItem>,
}

#[test]
fn scatter_add_is_the_adjoint_of_gather_for_the_golden_vectors() {
    let mut rng = Rng::with_seed(9);
    let mut selections = 0;
    let mut check_if_valid = |selection: Option<Selection>| {
        if let Some(selection) = selection {
            check(&mut rng, &selection);
            selections += 1;
        }
    };
    for case in ["numpy", "numpy_assign"]
        .iter()
        .flat_map(|name| read::<Slice>(name).1)
    {
        check_if_valid(
            spec(&case.items)
                .and_then(|spec| spec.resolve(&case.shape))
                .ok(),
        );
    }
    for case in read::<Case<tensorflow::StridedSlice>>("tensorflow").1 {
        check_if_valid(case.op.resolve(&case.shape).ok());
    }
    for case in read::<Case<openvino::StridedSlice>>("openvino").1 {
        check_if_valid(case.op.resolve(&case.shape).ok());
    }
    for case in read::<Case<mindspore::StridedSlice>>("mindspore").1 {
        check_if_valid(case.op.resolve(&case.shape).ok());
    }
    for case in read::<Case<onnx::Slice>>("onnx").1 {
        check_if_valid(case.op.resolve(&case.shape).ok());
    }
    assert!(
        selections >= 10_000,
        "only {selections} selections were checked"
    );
}

#[test]
fn scatter_add_is_the_adjoint_of_gather_for_random_slices() {
    let mut rng = Rng::with_seed(10);
    for _ in 0..20_000 {
        let shape = generate::shape(&mut rng);
        let spec = generate::spec(&mut rng, &shape);
        let selection = spec
            .resolve(&shape)
            .unwrap_or_else(|error| panic!("{spec} of {shape:?}: {error}"));
        check(&mut rng, &selection);
    }
}
