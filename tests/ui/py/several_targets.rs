use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let mut y = 0.0;
    py!((x[1:], y) = (0.0, 1.0));
    py!((x[0], x[1]) = (x[1], x[0]));
}
