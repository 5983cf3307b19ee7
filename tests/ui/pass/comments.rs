//! Checks that the macros do not mistake a comment for Python's floor division if the comment consists of words, does
//! not follow an operand, or is in the input of another macro. The comments in the brackets are the test input.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
#![allow(
    clippy::identity_op,
    reason = "the test needs a division that is followed by a comment"
)]

use ndarray::{Array1, array};
use slice_core::{named, py, s};

macro_rules! head {
    ($n:ident) => {
        s![:$n]
    };
}

macro_rules! function {
    ($n:expr) => {
        s![$n]
    };
}

named! {
    const BORDER = s![
        1:-1, // 0
        1:-1 // the columns
    ]; // 2
}

pub fn main() {
    let (n, rows) = (3, 2);
    let begin_values = [
        s![
            n // rows
        ]
        .begin()[0],
        s![
            n // the half of them: 2
        ]
        .begin()[0],
        s![
            n //rows
        ]
        .begin()[0],
        s![
            n //2nd
        ]
        .begin()[0],
        s![
            n //the rows
        ]
        .begin()[0],
        s![
            n,    // 2
            rows, // 3
        ]
        .begin()[0],
        s![n:rows:// 2
            1]
        .begin()[0],
        s![n /* 2 */].begin()[0],
        s![
            n / 1 // of them
        ]
        .begin()[0],
        // `function!` and `head!` pass on their input, so the comments in it are not in the brackets of `s!`.
        function!(
            n // 2
        )
        .begin()[0],
        s![{
            let half = n; // 2
            // 2
            half
        }]
        .begin()[0],
    ];
    assert_eq!(begin_values, [3; 11]);
    #[rustfmt::skip]
    let head = head!(n // 2
    );
    assert_eq!(head.end(), &[3]);
    assert_eq!(
        s![
            newaxis, // 0
            None     // 1
        ]
        .new_axis_mask(),
        3
    );
    assert_eq!(BORDER.begin(), &[1, 1]);
    // In a string literal, `//` does not begin a comment.
    let text = "//2";
    assert_eq!(
        s!["a//2".len():
        text.len()]
        .end(),
        &[3]
    );

    let v: Array1<f64> = array![1.0, 2.0, 4.0];
    let tail = py! {
        let k = n - 2; // 2
        // 2
        let tail = v[k:] * 2.0; // 2.0
        tail[:rows].to_owned() // of them
    };
    assert_eq!(tail, array![4.0, 8.0]);
    assert_eq!(
        py!(v[1:] // the rest
            / 2.0 // halved
        ),
        array![1.0, 2.0]
    );
}
