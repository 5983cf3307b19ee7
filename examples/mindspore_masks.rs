//! Prints the examples from MindSpore's strided_slice documentation, next to the equivalent Python slices. Also prints
//! a slice that MindSpore rejects.
//!
//! `cargo run --example mindspore_masks`

use std::error::Error;

use slice_core::s;
use slice_examples::{
    equivalence::{Example, print_all},
    println,
};
use slice_systems::OperationError;
use slice_systems::mindspore::StridedSlice;

fn op(begin: &[i64], end: &[i64], strides: &[i64]) -> StridedSlice {
    StridedSlice {
        begin: begin.to_vec(),
        end: end.to_vec(),
        strides: strides.to_vec(),
        ..StridedSlice::default()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "MindSpore's strided_slice: bit i of a mask applies to entry i. The number of entries is at most the rank of the"
    );
    println!("input, even if some entries are new axes or an ellipsis.\n");
    print_all(&[
        Example {
            title: "Three ranges",
            op: op(&[1, 3, 2], &[3, 5, 6], &[1, 1, 2]),
            python: s![1:3, 3:5, 2:6:2].to_dyn(),
            shape: vec![5, 6, 7],
            note: "",
        },
        Example {
            title: "Dimensions without an entry are selected in full",
            op: op(&[1, 3], &[3, 5], &[1, 1]),
            python: s![1:3, 3:5, 0:7].to_dyn(),
            shape: vec![5, 6, 7],
            note: "",
        },
        Example {
            title: "begin_mask and end_mask",
            op: StridedSlice {
                begin_mask: 0b011,
                end_mask: 0b110,
                ..op(&[2, 3, 2], &[3, 4, 5], &[1, 1, 2])
            },
            python: s![0:3, 0:6, 2:7:2].to_dyn(),
            shape: vec![5, 6, 7, 8],
            note: "MindSpore's documentation writes these masks with the bit of dimension 0 first: 0b110 and 0b011.",
        },
        Example {
            title: "ellipsis_mask",
            op: StridedSlice {
                begin_mask: 0b100,
                end_mask: 0b001,
                ellipsis_mask: 0b010,
                ..op(&[2, 0, 0], &[0, 0, 6], &[1, 1, 1])
            },
            python: s![2:, ..., :6].to_dyn(),
            shape: vec![5, 6, 7, 8],
            note: "MindSpore infers this shape, but its CPU kernel applies the last entry to dimension 2 instead of dimension 3.",
        },
        Example {
            title: "new_axis_mask",
            op: StridedSlice {
                new_axis_mask: 0b010,
                ..op(&[0, 0, 0], &[5, 6, 7], &[1, 1, 1])
            },
            python: s![0:5, newaxis, 0:6].to_dyn(),
            shape: vec![5, 6, 7],
            note: "",
        },
        Example {
            title: "shrink_axis_mask",
            op: StridedSlice {
                begin_mask: 0b101,
                end_mask: 0b101,
                shrink_axis_mask: 0b010,
                ..op(&[0, 5, 0], &[0, 0, 0], &[1, 1, 1])
            },
            python: s![:, 5, :].to_dyn(),
            shape: vec![5, 6, 7],
            note: "MindSpore's documentation says that begin is ignored, but begin selects the element.",
        },
        Example {
            title: "The first code sample, with its three slices combined into one",
            op: op(&[1, 0, 2], &[3, 1, 3], &[1, 1, 1]),
            python: s![1:3, 0:1, 2:3].to_dyn(),
            shape: vec![3, 2, 3],
            note: "",
        },
        Example {
            title: "The second code sample",
            op: op(&[1, 0, 0], &[2, 1, 3], &[1, 1, 1]),
            python: s![1:2, 0:1, 0:3].to_dyn(),
            shape: vec![3, 2, 3],
            note: "",
        },
        Example {
            title: "Only in MindSpore: an index whose begin is masked is index 0",
            op: StridedSlice {
                begin_mask: 1,
                shrink_axis_mask: 1,
                ..op(&[2], &[3], &[1])
            },
            python: s![0].to_dyn(),
            shape: vec![4, 3],
            note: "",
        },
    ])?;

    let op_with_new_axis = StridedSlice {
        new_axis_mask: 1,
        ..op(&[0, 1], &[0, 2], &[1, 1])
    };
    let error = op_with_new_axis.resolve(&[4]);
    let (items, rank) = (2, 1);
    assert_eq!(
        error,
        Err(OperationError::MoreItemsThanAxes { items, rank })
    );
    println!(
        "x[newaxis, 1:2] of an array of shape (4,) is valid in Python, but an error in MindSpore:"
    );
    if let Err(error) = error {
        println!("   {error}");
    }
    Ok(())
}
