use ndarray::array;
use slice_core::py;

fn main() {
    let x = Some(array![1.0]);
    let _ = py!(x?[1:].sum());
}
