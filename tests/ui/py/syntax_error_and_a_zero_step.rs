use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let _ = py!(x[::0] + x[1:] +);
}
