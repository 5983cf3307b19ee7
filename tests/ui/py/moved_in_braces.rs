//! As in Rust, `{ y }` moves `y`. The compiler must report that `y` is used later.

use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![1.0, 2.0, 3.0];
    let y = array![1.0, 2.0];
    let _ = py!(x[1:] + { y });
    println!("{y}");
}
