use ndarray::{Array1, array};
use slice_core::py;

struct Image(Array1<f64>);

fn main() {
    let image = Image(array![1.0]);
    let _ = py!(image[1:]);
}
