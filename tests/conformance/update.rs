//! Checks that `tensor_strided_slice_update` gives the same results and errors as
//! `tf.raw_ops.TensorStridedSliceUpdate`. TensorFlow's results are recorded in the golden vectors.

use serde::Deserialize;
use slice_core::SliceError;
use slice_systems::OperationError;
use slice_systems::tensorflow::{StridedSlice, tensor_strided_slice_update};
use slice_tests::operation::{Case, compare_elements, report};
use slice_tests::read;

#[derive(Debug, Deserialize)]
struct Value {
    value_shape: Vec<usize>,
}

#[test]
fn updates_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case<StridedSlice, Value>>("tensorflow_update");
    assert!(cases.len() >= 500, "too few cases: {}", cases.len());
    println!("tensorflow_update: {} cases checked", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let shape = &case.extra.value_shape;
        let input: Vec<i64> = (0..).take(case.shape.iter().product()).collect();
        let value: Vec<i64> = (1000..).take(shape.iter().product()).collect();
        let ours = tensor_strided_slice_update((&case.shape, &input), &case.op, (shape, &value));
        if let Err(difference) = compare_elements(&case.shape, &ours, &case.recorded) {
            failures.push(format!(
                "{:?} of {:?}, value {shape:?}: {difference}",
                case.op, case.shape
            ));
        }
    }
    report("tensorflow_update", &failures);
}

#[test]
fn buffers_of_the_wrong_length_are_rejected() {
    let op = StridedSlice::default();
    for (input, value) in [(&[1, 2][..], &[1][..]), (&[1, 2, 3], &[]), (&[], &[1])] {
        let error = tensor_strided_slice_update((&[3], input), &op, (&[1], value)).unwrap_err();
        assert!(
            matches!(
                error,
                OperationError::Slice(SliceError::BufferLength { .. })
            ),
            "{error}"
        );
    }
}
