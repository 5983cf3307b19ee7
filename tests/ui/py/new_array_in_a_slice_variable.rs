use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let _ = py! { let mut v = x[1:]; v = v * 2.0; v };
    py! { let mut v = &mut x[1:]; v = v + 1.0; }
}
