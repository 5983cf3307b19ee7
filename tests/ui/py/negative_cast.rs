use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1, 2, 3];
    println!("{}", py!(x[-1 as usize]));
}
