//! Prints the examples from OpenVINO's StridedSlice-1 documentation, next to the equivalent Python slices.
//!
//! `cargo run --example openvino_masks`

use std::error::Error;

use slice_core::s;
use slice_examples::{
    equivalence::{Example, print_all},
    println,
};
use slice_systems::openvino::StridedSlice;

fn op(begin: &[i64], end: &[i64], strides: &[i64]) -> StridedSlice {
    StridedSlice {
        begin: begin.to_vec(),
        end: end.to_vec(),
        strides: Some(strides.to_vec()),
        ..StridedSlice::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "OpenVINO's StridedSlice: a mask is a list with a 0 (here a dot) or a 1 for each entry."
    );
    println!("This library extends short masks with zeros, and ignores the rest of long masks.\n");
    let ellipsis = StridedSlice {
        ellipsis_mask: vec![0, 1, 0],
        ..op(&[0, 0, 0], &[4, 0, 5], &[1, -1, 1])
    };
    let all_masks = StridedSlice {
        begin_mask: vec![0, 0, 1, 1],
        end_mask: vec![1, 1, 0, 0],
        new_axis_mask: vec![0, 0, 1],
        shrink_axis_mask: vec![0],
        ellipsis_mask: vec![0, 1],
        ..op(&[2, 1, 10, 10], &[123, 1, 10, 5], &[1, -1, 1, 1])
    };
    print_all(&[
        Example {
            title: "Different strides, forwards and backwards",
            op: op(
                &[0, 1, 0, 1, 3, 3],
                &[4, 4, 4, 4, 0, 0],
                &[1, 1, 2, 2, -1, -2],
            ),
            python: s![0:4, 1:4, 0:4:2, 1:4:2, 3:0:-1, 3:0:-2].to_dyn(),
            shape: vec![4; 6],
            note: "The documentation counts 4 elements in dimension 4, as if 3:0:-1 \
                   included its end; OpenVINO selects 3.",
        },
        Example {
            title: "Bounds far outside their axes",
            op: op(&[1234, 2], &[1234, 4321], &[1, -1]),
            python: s![1234:1234, 2:4321:-1].to_dyn(),
            shape: vec![2, 2],
            note: "The documentation writes x[2:3, 2:1:-1], and counts one element in each dimension; OpenVINO selects none.",
        },
        Example {
            title: "A negative end",
            op: op(&[0, 0, 0], &[2, 2, -1], &[1, 1, 1]),
            python: s![0:2, 0:2, 0:-1].to_dyn(),
            shape: vec![2, 3, 4],
            note: "",
        },
        Example {
            title: "begin_mask and end_mask",
            op: StridedSlice {
                begin_mask: vec![0, 1, 1],
                end_mask: vec![1, 1, 1],
                new_axis_mask: vec![0, 0, 0, 0, 0],
                shrink_axis_mask: vec![0, 0],
                ellipsis_mask: vec![0],
                ..op(&[1, 1, 123], &[0, 0, 2], &[1, 1, -1])
            },
            python: s![1:, :, ::-1].to_dyn(),
            shape: vec![2, 3, 4],
            note: "The documentation omits element 0 of the last dimension; OpenVINO selects this element.",
        },
        Example {
            title: "new_axis_mask",
            op: StridedSlice {
                new_axis_mask: vec![1, 0, 1, 0],
                ..op(&[1234, 0, -1, 0], &[1234, 2, 9876, 4], &[132, 1, 241, 1])
            },
            python: s![newaxis, 0:2, newaxis, 0:4].to_dyn(),
            shape: vec![2, 4],
            note: "",
        },
        Example {
            title: "shrink_axis_mask",
            op: StridedSlice {
                shrink_axis_mask: vec![0, 1, 0, 0, 0],
                ..op(&[0; 5], &[1, 0, 384, 640, 8], &[1; 5])
            },
            python: s![0:1, 0, 0:384, 0:640, 0:8].to_dyn(),
            shape: vec![1, 2, 384, 640, 8],
            note: "",
        },
        Example {
            title: "ellipsis_mask",
            op: ellipsis,
            python: s![0:4, ..., 0:5].to_dyn(),
            shape: vec![10; 12],
            note: "The documentation says that the input has 10 dimensions, but lists 12.",
        },
        Example {
            title: "ellipsis_mask with other masks of different lengths",
            op: all_masks,
            python: s![2:, ..., newaxis, :5].to_dyn(),
            shape: vec![10; 10],
            note: "OpenVINO itself requires all masks that are not empty to have the same length, although \
                   its documentation contains masks of different lengths.\nThe documentation lists an input with 12 dimensions for this output.",
        },
    ])
}
