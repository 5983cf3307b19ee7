use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let tail = py!(x[1:]);
    py!(x[0, ...] = 0.0);
    println!("{tail}");
}
