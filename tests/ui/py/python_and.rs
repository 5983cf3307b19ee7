use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let (c, k) = (true, 1.0);
    let _ = py!((x[1:] > 0.0) and (x[1:] < k));
}
