use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![true, false];
    py!(x[1:] += true);
}
