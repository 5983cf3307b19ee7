//! Checks that references, boxes, numbers and results of methods can be combined with slices by operators.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

pub fn main() {
    let (x, m, k) = (array![1.0, 2.0, 3.0], array![[1.0], [2.0]], 2.0_f64);
    let (reference, boxed) = (&x, Box::new(x.clone()));
    let sums = [
        py!(x[...] + reference),
        py!(k.sqrt() * x[::-1] / k),
        py!(x - x[:1] * m[0, 0][()]),
        py!(*boxed + boxed[...] - x.view()),
        py!(-(x[...]) + m.column(0)[0]),
    ];
    assert_eq!(sums[3], x);
}
