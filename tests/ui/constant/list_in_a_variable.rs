use slice_core::s;

fn main() {
    const ROWS: [usize; 2] = [0, 1];
    const SHAPE: [usize; 1] = s![&ROWS].output_shape([4]);
    assert_eq!(SHAPE, [2]);
}
