use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1.0]];
    let _ = py!(x[:, , 0]);
}
