//! Loops, labels and breaks.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let mut x = array![[0, 0, 0], [0, 0, 0]];
    py! {
        'rows: for i in 0..2 {
            for j in 0..3 {
                if j == 2 {
                    continue 'rows;
                }
                x[i, j] = i + j;
            }
        }
        let mut from = 0;
        let found = loop {
            if x[:, from].sum() > 1 {
                break from;
            }
            from += 1;
        };
        assert_eq!(found, 1);
    }
    assert_eq!(x, array![[0, 1, 0], [1, 2, 0]]);
}
