use ndarray::array;
use slice_core::py;

fn main() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    py! { for row in x[:] { row[0] = 1.0; } }
    py! { for row in x[1:].outer_iter() { row += 1.0; } }
}
