use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1, 2], [3, 4]];
    let keep = array![[true, false], [false, true]];
    println!("{}", py!(x[keep, 0]));
}
