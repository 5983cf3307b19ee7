use slice_core::s;

fn main() {
    const SHAPE: [usize; 2] = s![[true, false], :].output_shape([4, 5]);
    assert_eq!(SHAPE, [1, 5]);
}
