use ndarray::{Array1, array};
use slice_core::py;

fn load() -> Array1<f64> {
    array![1.0, 2.0]
}

fn main() {
    let tail = py!(load()[1:]);
    println!("{tail}");
}
