use ndarray::array;
use slice_core::py;

fn main() {
    let (x, y) = (array![1.0_f64, 2.0], array![1.0_f32]);
    let _ = py!(x[1:] + y);
    let mask = array![true, false];
    let _ = py!(mask[1:] + mask[:-1]);
}
