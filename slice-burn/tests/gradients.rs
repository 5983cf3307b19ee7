//! Compares gradients through slices of burn's tensors with PyTorch's, on burn's CPU backend.

use burn_tensor::{Device, Tensor, TensorData};
use serde::Deserialize;
use slice_burn::TensorSliceExt;
use slice_core::DynSliceSpec;
use slice_tests::lists::{RawListItem, list_spec};
use slice_tests::read;

#[derive(Debug, Deserialize)]
struct Case {
    shape: Vec<usize>,
    items: Vec<RawListItem>,
    value_shape: Option<Vec<usize>>,
    gradient: Vec<f32>,
    value_gradient: Option<Vec<f32>>,
}

/// Evaluates an expression in which a rank is a constant.
macro_rules! with_rank {
    ([$($known:literal)*] $rank:expr, $RANK:ident => $result:expr) => {
        match $rank {
            $( $known => {
                const $RANK: usize = $known;
                $result
            } )*
            rank => panic!("no case should have rank {rank}"),
        }
    };
}

fn counting<const D: usize>(shape: &[usize], first: usize) -> Tensor<D> {
    let len: usize = shape.iter().product();
    let elements: Vec<f32> = (first..first + len).map(|x| x as f32).collect();
    Tensor::from_data(
        TensorData::new(elements, shape),
        &Device::default().autodiff(),
    )
}

/// Returns the gradient of `input`, through the sum of `y * y * w`, where `w` has the elements 1, 2, 3, ...
fn gradients<const R: usize>(result: Tensor<R>) -> burn_tensor::Gradients {
    let weights = counting(&result.shape(), 1);
    (result.clone() * result * weights).sum().backward()
}

fn elements<const D: usize>(input: &Tensor<D>, gradients: &burn_tensor::Gradients) -> Vec<f32> {
    // burn has no gradient for a tensor of which all elements are replaced.
    let Some(gradient) = input.grad(gradients) else {
        return vec![0.; input.shape().num_elements()];
    };
    gradient
        .to_data()
        .try_to_vec()
        .expect("the gradient should have floats")
}

fn read_gradient<const D: usize, const R: usize>(shape: &[usize], spec: &DynSliceSpec) -> Vec<f32> {
    let tensor = counting::<D>(shape, 0).require_grad();
    elements(&tensor, &gradients::<R>(tensor.at(spec)))
}

fn write_gradients<const D: usize, const V: usize>(
    shape: &[usize],
    spec: &DynSliceSpec,
    value_shape: &[usize],
) -> (Vec<f32>, Vec<f32>) {
    let tensor = counting::<D>(shape, 0).require_grad();
    let value = counting::<V>(value_shape, 100).require_grad();
    let gradients = gradients(tensor.clone().set(spec, value.clone()));
    (elements(&tensor, &gradients), elements(&value, &gradients))
}

fn check<const D: usize>(case: &Case) {
    let spec = list_spec(&case.items).expect("the items should form a slice");
    let shape = &case.shape[..];
    match (&case.value_shape, &case.value_gradient) {
        (Some(value), Some(expected)) => {
            let gradients = with_rank!([1 2 3 4 5 6 7] value.len(), V => {
                write_gradients::<D, V>(shape, &spec, value)
            });
            assert_eq!(
                gradients,
                (case.gradient.clone(), expected.clone()),
                "{case:?}"
            );
        }
        _ => {
            let selection = spec.resolve(shape).expect("the slice should fit the shape");
            let gradient = with_rank!([1 2 3 4 5 6 7] selection.output_shape().len(), R => {
                read_gradient::<D, R>(shape, &spec)
            });
            assert_eq!(gradient, case.gradient, "{case:?}");
        }
    }
}

#[test]
fn gradients_agree_with_pytorch() {
    let (_, cases) = read::<Case>("torch_gradients");
    for case in &cases {
        with_rank!([1 2 3 4 5] case.shape.len(), D => check::<D>(case));
    }
    let reads = cases
        .iter()
        .filter(|case| case.value_shape.is_none())
        .count();
    assert_eq!((reads, cases.len()), (300, 450));
}
