use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1.0, 3.0], [2.0, 4.0]];
    let (rows, columns) = ([0, 1], [1, 0]);
    let _ = py!(x[&rows, &columns]);
}
