use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1, 2, 3];
    let text = py!(f"first: {x[0]}");
}
