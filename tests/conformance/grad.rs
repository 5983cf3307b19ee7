//! Checks that `strided_slice_grad` gives the same results and errors as `tf.raw_ops.StridedSliceGrad`. TensorFlow's
//! results are recorded in the golden vectors.

use serde::Deserialize;
use slice_core::{SliceError, s};
use slice_systems::OperationError;
use slice_systems::tensorflow::{StridedSlice, strided_slice_grad};
use slice_tests::operation::{Case, compare_elements, report};
use slice_tests::{RecordedResult, read};

#[derive(Debug, Deserialize)]
struct Dy {
    dy_shape: Vec<usize>,
}

#[test]
fn gradients_agree_with_the_golden_vectors() {
    let (_, cases) = read::<Case<StridedSlice, Dy>>("tensorflow_grad");
    assert!(cases.len() >= 500, "too few cases: {}", cases.len());
    println!("tensorflow_grad: {} cases checked", cases.len());
    let mut failures = Vec::new();
    for case in &cases {
        let shape = &case.extra.dy_shape;
        let dy: Vec<i64> = (1..).take(shape.iter().product()).collect();
        let ours = strided_slice_grad(&case.shape, &case.op, (shape, &dy));
        let mut comparison = compare_elements(&case.shape, &ours, &case.recorded);
        if let (Err(error @ OperationError::GradientShape { .. }), RecordedResult::Error(failure)) =
            (&ours, &case.recorded)
            && numbers(&error.to_string()) != numbers(&failure.message)
        {
            comparison = Err(format!(
                "got error `{error}`, expected `{}`",
                failure.message
            ));
        }
        if let Err(difference) = comparison {
            failures.push(format!(
                "{:?} of {:?}, dy {shape:?}: {difference}",
                case.op, case.shape
            ));
        }
    }
    report("tensorflow_grad", &failures);
}

/// Returns all numbers in a message. They are the axis lengths of the shapes that the message contains.
fn numbers(message: &str) -> Vec<&str> {
    let parts = message.split(|c: char| !c.is_ascii_digit());
    parts.filter(|part| !part.is_empty()).collect()
}

#[test]
fn a_gradient_of_the_wrong_length_is_rejected() {
    let op = StridedSlice::default();
    let error = strided_slice_grad(&[3], &op, (&[3], &[1.0, 2.0])).unwrap_err();
    assert_eq!(
        error,
        SliceError::BufferLength {
            expected: 3,
            actual: 2
        }
        .into()
    );
}

#[test]
fn a_gradient_too_large_for_memory_is_rejected() {
    let elements = isize::MAX as usize;
    let op = StridedSlice {
        begin: vec![0],
        end: vec![0],
        strides: vec![1],
        ..StridedSlice::default()
    };
    assert_eq!(s![0:0].resolve(&[elements]).map(|empty| empty.len()), Ok(0));
    let error = strided_slice_grad::<u16>(&[elements], &op, (&[0], &[])).unwrap_err();
    assert_eq!(error, SliceError::Allocation { elements }.into());
}
