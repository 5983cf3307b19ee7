use ndarray::Array3;
use slice_core::py;

fn main() {
    let x = Array3::<f32>::zeros((2, 3, 4));
    let _ = py!(x[0, :, [1, 2]]);
}
