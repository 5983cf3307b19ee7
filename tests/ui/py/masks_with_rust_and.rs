use slice_core::py;

fn main() {
    let x = ndarray::array![0, 2, 7];
    let _ = py!(x[(x > 1) && (x < 5)]);
    let _ = py!(x[x < 1 || x > 5]);
}
