//! Prints the examples from the documentation of ONNX's Slice, next to the equivalent Python slices. Also prints a case
//! in which ONNX Runtime differs from the documentation.
//!
//! `cargo run --example onnx_slice`

use std::error::Error;

use slice_core::s;
use slice_examples::{
    equivalence::{Example, print_all},
    println,
};
use slice_systems::onnx::OnnxPlan;
use slice_systems::onnx::Slice;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "ONNX's Slice: each entry belongs to the axis in `axes`. Without `axes`, entries apply to the first"
    );
    println!(
        "axes. There are no indices and no new axes. Bounds cannot be omitted, so INT_MAX and"
    );
    println!("INT_MIN stand for omitted bounds.\n");
    let first_example = Slice {
        opset: 13,
        starts: vec![1, 0],
        ends: vec![2, 3],
        axes: Some(vec![0, 1]),
        steps: Some(vec![1, 2]),
    };
    let backwards = Slice {
        opset: 13,
        starts: vec![-1],
        ends: vec![i64::MIN],
        axes: Some(vec![-1]),
        steps: Some(vec![-1]),
    };
    print_all(&[
        Example {
            title: "Example 1",
            op: first_example.clone(),
            python: s![1:2, 0:3:2].to_dyn(),
            shape: vec![2, 4],
            note: "",
        },
        Example {
            title: "Example 1 of opset 1, without steps",
            op: Slice {
                opset: 1,
                steps: None,
                ..first_example.clone()
            },
            python: s![1:2, 0:3].to_dyn(),
            shape: vec![2, 4],
            note: "",
        },
        Example {
            title: "Example 2, without axes, and with an end beyond the axis",
            op: Slice {
                opset: 13,
                starts: vec![0, 1],
                ends: vec![-1, 1000],
                axes: None,
                steps: None,
            },
            python: s![:-1, 1:1000].to_dyn(),
            shape: vec![2, 4],
            note: "",
        },
        Example {
            title: "Axes in any order, counted from the front or from the end",
            op: Slice {
                starts: vec![0, 1],
                ends: vec![3, 2],
                axes: Some(vec![-1, 0]),
                steps: Some(vec![2, 1]),
                ..first_example
            },
            python: s![1:2, :, :3:2].to_dyn(),
            shape: vec![2, 2, 4],
            note: "",
        },
        Example {
            title: "Backwards to the beginning: INT_MIN, as the documentation recommends",
            op: backwards.clone(),
            python: s![..., ::-1].to_dyn(),
            shape: vec![2, 4],
            note: "",
        },
    ])?;

    let op = Slice {
        ends: vec![i64::MAX],
        ..backwards
    };
    println!(
        "\nWith INT_MAX instead, the documentation and ONNX Runtime differ: {op} for shape (2, 4)"
    );
    let (documentation, runtime) = (op.resolve(&[2, 4])?, op.resolve_onnxruntime(&[2, 4])?);
    assert_eq!(
        (documentation.output_shape(), runtime.output_shape()),
        (&[2, 0][..], &[2, 4][..])
    );
    println!("   documentation {:?}", documentation.output_shape());
    println!("   ONNX Runtime  {:?}", runtime.output_shape());

    println!(
        "\nFrom Python to ONNX: an index becomes a range of one element, whose axis is dropped by \
         Squeeze, and new axes are added by Unsqueeze:"
    );
    for spec in [
        s![-1, ..., newaxis, ::-2].to_dyn(),
        s![1, 2:4, None, ..., :-3:-1, :].to_dyn(),
    ] {
        let shape = [3, 5, 6, 2];
        let plan = OnnxPlan::from_spec(&spec, shape.len(), 13)?.op;
        assert_eq!(plan.resolve(&shape)?, spec.resolve(&shape)?);
        println!("   x[{spec}]\n      {plan}");
    }
    Ok(())
}
