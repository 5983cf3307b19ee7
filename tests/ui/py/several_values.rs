use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1, 2, 3];
    let (first, rest) = py!(x[0], x[1:]);
    println!("{first} {rest}");
}
