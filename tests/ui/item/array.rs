use ndarray::array;
use slice_core::s;

fn main() {
    let x = array![1, 2];
    let _ = s![x[1:]];
}
