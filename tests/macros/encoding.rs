//! Checks that `s![]` encodes slices as begin, end, strides and masks in the same way as TensorFlow's
//! `Tensor.__getitem__`.

use serde::Deserialize;
use slice_core::{SliceSpec, s};

#[derive(Debug, Deserialize, PartialEq)]
struct Encoding {
    text: String,
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    begin_mask: u64,
    end_mask: u64,
    ellipsis_mask: u64,
    new_axis_mask: u64,
    shrink_axis_mask: u64,
}

fn encoding<const M: usize, K>(text: &str, spec: &SliceSpec<M, K>) -> Encoding {
    Encoding {
        text: remove_spaces(text),
        begin: spec.begin().to_vec(),
        end: spec.end().to_vec(),
        strides: spec.strides().to_vec(),
        begin_mask: spec.begin_mask(),
        end_mask: spec.end_mask(),
        ellipsis_mask: spec.ellipsis_mask(),
        new_axis_mask: spec.new_axis_mask(),
        shrink_axis_mask: spec.shrink_axis_mask(),
    }
}

fn remove_spaces(text: &str) -> String {
    text.replace(char::is_whitespace, "")
}

macro_rules! slices {
    ($([$($slice:tt)*])*) => {
        vec![$(encoding(stringify!($($slice)*), &s![$($slice)*])),*]
    };
}

#[test]
fn items_are_encoded_as_tensorflow_encodes_them() {
    // Each slice is on its own line, because the script that records TensorFlow's encoding reads these lines.
    let ours = slices! {
        [1, 2:4, None, ..., :-3:-1, :]
        [1:, ..., newaxis, :-3:-1]
        []
        [0]
        [1]
        [-1]
        [-2,]
        [0, 0, 0]
        [5, -5, 5]
        [:]
        [::]
        [1:]
        [1::]
        [:2]
        [:2:]
        [1:2]
        [1:2:]
        [1:2:3]
        [::2]
        [::-1]
        [::1]
        [1::2]
        [:1:2]
        [:-1]
        [-1:]
        [-3:-1]
        [-1:-3:-1]
        [3:1:-2]
        [0:0]
        [0:0:-1]
        [-0:-0]
        [...]
        [..., 0]
        [0, ...]
        [..., :]
        [:, ...]
        [..., -1, :]
        [1, ..., 2]
        [1:2, ..., ::-1]
        [newaxis]
        [None]
        [newaxis, newaxis]
        [newaxis, ...]
        [..., newaxis]
        [newaxis, ..., None]
        [0, newaxis]
        [newaxis, 0]
        [:, newaxis]
        [newaxis, :, newaxis, 1, newaxis]
        [::2, newaxis, ..., -1, None, 1:]
        [0, 1:2, newaxis, ..., :-1, -1]
        [:, :, :, :, :, :, :, :]
        [::-1, ::-2, ::-3]
        [2147483646, :2147483647, -2147483648:]
        [0x10:0xff:0b11]
        [1_000:2_000, 0o17]
        [(1), (-1):(2), ::(-2)]
        [ - 1 : - 2 : - 3 ]
        [0, ::, 1:, :2, 1:2, ::3, 1::3, :2:3, 1:2:3, ..., None]
    };
    let (_, theirs) = slice_tests::read::<Encoding>("tensorflow_getitem");
    assert_eq!(ours.len(), theirs.len());
    for (ours, theirs) in ours.into_iter().zip(theirs) {
        let text = remove_spaces(&theirs.text);
        assert_eq!(ours, Encoding { text, ..theirs });
    }
}
