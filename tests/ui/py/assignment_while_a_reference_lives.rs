use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let y = &x;
    py!(x[1:] = y[:-1]);
}
