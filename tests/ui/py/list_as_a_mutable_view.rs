use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![[1.0], [2.0]];
    let rows = [0];
    py!(x[&rows, :].fill(0.0));
}
