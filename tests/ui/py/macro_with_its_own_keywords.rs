//! `py!` does not rewrite the arguments of a macro if they are not expressions, so the compiler must report `y[1:]`.

use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let mut y = x.clone();
    py! { ndarray::azip!((y in &mut y[1:], &x in &x) *y = x); }
}
