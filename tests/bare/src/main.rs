//! A `no_std` program that slices constant arrays, buffers and ndarray arrays, and resolves operations of TensorFlow
//! and ONNX.
//!
//! In the profile `bare`, in which panics abort, the program has its own panic handler and heap. If one of its
//! dependencies used the standard library, there would be two panic handlers, and the program would not compile. In other
//! profiles, other packages may enable features of the dependencies, and the program uses the standard library.

#![cfg_attr(panic = "abort", no_std, no_main)]

extern crate alloc;

#[cfg(panic = "abort")]
mod runtime;

use alloc::string::ToString;
use alloc::vec;

use ndarray::{ArrayD, IxDyn};
use slice_core::{DynSliceSpec, StaticPlan, StridedSliceExt, s};
use slice_systems::{Explain, Operation, OperationError, onnx, tensorflow};

#[cfg(not(panic = "abort"))]
fn main() -> Result<(), OperationError> {
    slice()
}

const HALVE: StaticPlan<[u8; 6], [u8; 3]> = s![::2].static_plan();

fn slice() -> Result<(), OperationError> {
    assert_eq!(HALVE.gather(&[0, 1, 2, 3, 4, 5]), [0, 2, 4]);

    let spec = s![1:, ..., newaxis, ::-2];
    let selection = spec.resolve(&[2, 3])?;
    assert_eq!(selection.output_shape(), [1, 1, 2]);
    assert_eq!(selection.gather(b"abcdef")?, b"fd");
    let mut output = [0; 6];
    selection.scatter(&[1, 2], &mut output)?;
    assert_eq!(output, [0, 0, 0, 2, 0, 1]);

    let parsed: Result<DynSliceSpec, _> = "x[1:, ..., None, ::-2]".parse();
    assert!(parsed.as_ref().is_ok_and(|parsed| *parsed == spec.to_dyn()));
    let mistake = "1.5".parse::<DynSliceSpec>();
    assert!(mistake.is_err_and(|error| error.to_string().contains("integers")));
    assert!(spec.explain(&[2, 3]).to_string().contains("output_shape"));

    let op = tensorflow::StridedSlice::from_spec(&spec.to_dyn());
    assert_eq!(
        op.map(|translated| translated.op.resolve(&[2, 3])),
        Ok(Ok(selection))
    );
    let op = onnx::Slice {
        opset: 13,
        starts: vec![5],
        ends: vec![0],
        axes: None,
        steps: Some(vec![-1]),
    };
    assert_eq!(op.resolve(&[4])?.output_shape(), [3]);

    let mut array = ArrayD::<u8>::zeros(IxDyn(&[2, 3]));
    array.try_fill_at(s![..., 1], 7)?;
    assert!(array.gather(s![:, 1]).iter().eq(&[7, 7]));
    assert!(array.try_at(s![2]).is_err());
    Ok(())
}
