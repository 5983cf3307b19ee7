use slice_core::s;

fn main() {
    let list = vec![1];
    let _ = s![-list, 0];
}
