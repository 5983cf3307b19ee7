use slice_core::s;

const SHAPE: [usize; 0] = s![0, 0, 0, 0].output_shape([4, 5, 6]);

fn main() {}
