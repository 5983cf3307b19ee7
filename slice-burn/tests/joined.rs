//! Compares masks with several axes, points and lists with several axes with the results of slice-core.

use burn_tensor::{Int, Tensor, TensorData};
use slice_burn::TensorSliceExt;
use slice_core::{DynSliceSpec, s};

fn counting<const D: usize>(shape: &[usize], first: i32) -> Tensor<D, Int> {
    let len: usize = shape.iter().product();
    let elements: Vec<i32> = (first..).take(len).collect();
    Tensor::from_data(TensorData::new(elements, shape), &Default::default())
}

fn elements<const D: usize>(tensor: Tensor<D, Int>) -> Vec<i32> {
    tensor
        .into_data()
        .try_to_vec()
        .expect("the elements should be integers")
}

fn check<const R: usize>(text: &str) {
    let spec: DynSliceSpec = text.parse().expect("the text should be a slice");
    let selection = spec.resolve(&[2, 3, 4]).expect("the slice should fit");
    let x = counting::<3>(&[2, 3, 4], 0);
    let mut expected = elements(x.clone());
    let selected: Tensor<R, Int> = x.at(text);
    assert_eq!(
        selected.shape().as_slice(),
        selection.output_shape(),
        "{text}"
    );
    let gathered = selection
        .gather(&expected)
        .expect("the elements should fit");
    assert_eq!(elements(selected), gathered, "{text}");
    let value = counting::<R>(selection.output_shape(), 100);
    let assigned = selection.assign(&value.shape(), &elements(value.clone()), &mut expected);
    assigned.expect("the value should fit");
    assert_eq!(elements(x.set(text, value)), expected, "{text}");
}

#[test]
fn several_axes_are_selected_and_assigned_together() {
    check::<2>("[[True, False, True], [False, False, True]], ::2");
    check::<2>("[[True, False, True], [False, True, True]], newaxis, 1");
    check::<3>("[[1, 0, 1], [0, 0, 1]], 2, ::-1");
    check::<5>("::-1, [[[2], [0]], [[1], [1]]], [3, 0]");
    check::<3>("1, [[1, 2], [0, 2]], ...");
}

#[test]
fn the_compiler_computes_the_rank_of_lists_with_several_axes() {
    let x = counting::<3>(&[2, 3, 4], 0);
    let masked: Tensor<2, Int> = x.at(s![[[true, false, true], [false, true, true]]]);
    assert_eq!(masked.dims(), [4, 4]);
    let listed: Tensor<4, Int> = x.at(s![[[1, 0, 1], [0, 0, 1]], ..., ::-1]);
    assert_eq!(listed.dims(), [2, 3, 3, 4]);
    let (rows, columns) = ([1, 0], [2, 2]);
    let points: Tensor<2, Int> = x.at(s![zip(&rows, &columns)]);
    assert_eq!(elements(points), [20, 21, 22, 23, 8, 9, 10, 11]);
}
