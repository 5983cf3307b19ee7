use ndarray::{Array3, array};
use slice_core::py;

fn main() {
    let cube = Array3::<f64>::zeros((2, 2, 2));
    let _ = py!(cube[0][1]);
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    py! { x[0][1] = 3.0; }
}
