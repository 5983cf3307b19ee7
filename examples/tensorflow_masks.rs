//! Prints examples of StridedSlice from TensorFlow's documentation and from the article "how TensorFlow's StridedSlice
//! is computed", next to the equivalent Python slices.
//!
//! `cargo run --example tensorflow_masks`

use std::error::Error;

use slice_core::s;
use slice_examples::{
    equivalence::{Example, print_all},
    println,
};
use slice_systems::tensorflow::StridedSlice;

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "TensorFlow's StridedSlice: bit i of a mask applies to entry i. If several bits are set for an"
    );
    println!("entry, ellipsis takes precedence over new axis, and new axis over shrink.\n");
    let article = StridedSlice {
        begin: vec![0, 0, 2, 2],
        end: vec![3, 2, 4, 8],
        strides: vec![1, 1, 1, 1],
        new_axis_mask: 0b1001,
        shrink_axis_mask: 4,
        ..StridedSlice::default()
    };
    print_all(&[
        Example {
            title: "The encoding in the documentation, with all five masks",
            op: StridedSlice {
                begin: vec![1, 2, 0, 0, 0, 0],
                end: vec![2, 4, 0, 0, -3, 0],
                strides: vec![1, 1, 1, 1, -1, 1],
                begin_mask: 1 << 4 | 1 << 5,
                end_mask: 1 << 5,
                ellipsis_mask: 1 << 3,
                new_axis_mask: 1 << 2,
                shrink_axis_mask: 1 << 0,
            },
            python: s![1, 2:4, None, ..., :-3:-1, :].to_dyn(),
            shape: vec![2, 5, 3, 6, 2],
            note: "",
        },
        Example {
            title: "A reversed range that begins at the second-to-last element",
            op: StridedSlice {
                begin: vec![-2],
                end: vec![0],
                strides: vec![-1],
                end_mask: 1,
                ..StridedSlice::default()
            },
            python: s![-2::-1].to_dyn(),
            shape: vec![4],
            note: "The documentation says that this slice drops the last two elements; TensorFlow drops only the last element.",
        },
        Example {
            title: "A leading new axis",
            op: StridedSlice {
                begin: vec![0, 0],
                end: vec![0, 0],
                strides: vec![1, 1],
                ellipsis_mask: 2,
                new_axis_mask: 1,
                ..StridedSlice::default()
            },
            python: s![newaxis, ...].to_dyn(),
            shape: vec![3, 4],
            note: "The documentation writes foo[:, ...], but in TensorFlow, that expression keeps the shape (3, 4).",
        },
        Example {
            title: "A new axis between two ranges",
            op: StridedSlice {
                begin: vec![0, 0, 0],
                end: vec![4, 0, 2],
                strides: vec![1, 1, 1],
                begin_mask: 5,
                new_axis_mask: 2,
                ..StridedSlice::default()
            },
            python: s![:4, newaxis, :2].to_dyn(),
            shape: vec![5, 6],
            note: "",
        },
        Example {
            title: "An ellipsis in the middle",
            op: StridedSlice {
                begin: vec![2, 0, 5],
                end: vec![3, 0, 8],
                strides: vec![1, 1, 1],
                ellipsis_mask: 2,
                shrink_axis_mask: 1,
                ..StridedSlice::default()
            },
            python: s![2, ..., 5:8].to_dyn(),
            shape: vec![4, 2, 3, 9],
            note: "",
        },
        Example {
            title: "The first example of \"how TensorFlow's StridedSlice is computed\": in the last entry, ellipsis takes precedence over new axis",
            op: StridedSlice {
                ellipsis_mask: 8,
                ..article.clone()
            },
            python: s![newaxis, 0:2, 2, ...].to_dyn(),
            shape: vec![6, 3, 4, 10],
            note: "",
        },
        Example {
            title: "The second example of that article: in the third entry, ellipsis takes precedence over shrink",
            op: StridedSlice {
                ellipsis_mask: 4,
                ..article
            },
            python: s![newaxis, 0:2, ..., newaxis].to_dyn(),
            shape: vec![6, 3, 4, 10],
            note: "",
        },
        Example {
            title: "A negative mask is a bit pattern",
            op: StridedSlice {
                begin: vec![9, 9],
                end: vec![1, 2],
                strides: vec![1, 1],
                begin_mask: -1,
                ..StridedSlice::default()
            },
            python: s![:1, :2].to_dyn(),
            shape: vec![2, 3],
            note: "Bits beyond the last entry are ignored.",
        },
    ])
}
