//! The compiler must report each floor division in `py!`, because Rust treats `//` and the divisor as a comment.

use ndarray::array;
use slice_core::py;

fn main() {
    let (v, w) = (array![1.0, 2.0, 3.0], array![1, 2, 3]);
    let n = 3;
    let _ = py! {
        let k = n//2
        ;
        let halves = v[k:] // 2.0
        ;
        let whole = w[1:] // 2
        ;
        let from = v[n // 2
            :];
        let to = (v[n.pow(2)//4:,
            ] + 1.0) * 2.0;
        v[k:]//v[:-1]
    };
}
