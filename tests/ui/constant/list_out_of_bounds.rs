use slice_core::s;

fn main() {
    const SHAPE: [usize; 2] = s![:, [0, 5]].output_shape([4, 5]);
    assert_eq!(SHAPE, [4, 2]);
}
