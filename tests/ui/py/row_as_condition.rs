use ndarray::array;
use slice_core::py;

fn main() {
    let m = array![[1, 2], [3, 4]];
    py! {
        if m[0] > 0 {}
    }
}
