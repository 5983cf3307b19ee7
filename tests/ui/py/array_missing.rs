use slice_core::py;

fn main() {
    let _ = py!([1:] + [2, 3]);
}
