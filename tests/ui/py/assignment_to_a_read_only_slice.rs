use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    py! { let v = x[1:]; v[0] = 9.0; }
    py! { let mut v = x[1:]; v += 9.0; }
    py! { let v = x[1:]; v[1:] = 0.0; }
    py! { let v = x[1:]; v.fill(0.0); }
}
