use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1, 2, 3];
    py!(let v = x[1:]);
    py! {
        let first = x[0];
        let tail = x[1:]
    }
}
