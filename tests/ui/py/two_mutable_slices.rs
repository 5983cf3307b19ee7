use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let (a, b) = py!((&mut x[1:], &mut x[:1]));
    a.assign(b);
}
