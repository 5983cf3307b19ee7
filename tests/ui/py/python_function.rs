use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let _ = py!(len(x[1:]));
    py!(print("x", x[0]));
    py!(print());
}
