use slice_core::s;

fn main() {
    let spec = s![&vec![0, 2], 0];
    assert_eq!(spec.len(), 2);
}
