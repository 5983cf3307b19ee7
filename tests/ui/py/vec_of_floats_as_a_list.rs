use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0];
    let rows = vec![0.0];
    let _ = py!(x[&rows, ...]);
}
