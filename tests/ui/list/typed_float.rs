use slice_core::s;

fn main() {
    let rows = vec![0.5, 2.0];
    let _ = s![&rows, 0];
}
