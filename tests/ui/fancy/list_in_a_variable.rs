use slice_core::s;

fn main() {
    let rows = vec![0, 2];
    let _ = s![rows, 0];
}
