//! Checks that loops in `py!` can have labels, and can contain `break` and `continue`.
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
        let column = loop {
            if x[:, from].sum() > 1 {
                break from;
            }
            from += 1;
        };
        assert_eq!(column, 1);
    }
    assert_eq!(x, array![[0, 1, 0], [1, 2, 0]]);

    // Outside `py!`, as in ndarray, a loop over a view visits its elements, and a loop over `rows()` visits its rows.
    let mut elements = Vec::new();
    for element in py!(x[::-1]) {
        elements.push(*element);
    }
    assert_eq!(elements, [1, 2, 0, 0, 1, 0]);
    let mut sums = Vec::new();
    for row in py!(x[::-1].rows()) {
        sums.push(row.sum());
    }
    assert_eq!(sums, [3, 1]);
}
