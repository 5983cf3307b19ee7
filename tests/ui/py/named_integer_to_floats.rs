use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let zero = 0_i32;
    py!(x[1:] = zero);
}
