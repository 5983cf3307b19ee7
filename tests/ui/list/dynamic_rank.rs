use ndarray::array;
use slice_core::s;

fn main() {
    let rows = array![[0, 1], [2, 3]].into_dyn();
    let _ = s![&rows, 0];
}
