//! Checks that numbers, arrays, vectors and nested lists can be assigned to slices.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array2, array};
use slice_core::py;

pub fn main() {
    let mut x = Array2::<f32>::zeros((3, 4));
    let (k, row, list, array) = (
        0.5,
        array![1.0, 2.0, 3.0, 4.0],
        vec![5.0, 6.0, 7.0],
        [8.0, 9.0],
    );
    py! {
        x[0, ...] = k;
        x[1, ...] = row;
        x[:, 3] = list;
        x[2, :2] = array;
        x[1:, 2:] = [[1.0, 2.0], [3.0, 4.0]];
        x[0, 0] = -1.0;
    }
    assert_eq!((row.len(), list.len(), array.len()), (4, 3, 2));
    assert_eq!(
        x,
        array![
            [-1.0, 0.5, 0.5, 5.0],
            [1.0, 2.0, 1.0, 2.0],
            [8.0, 9.0, 3.0, 4.0]
        ]
    );
}
