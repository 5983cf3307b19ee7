use slice_core::s;

const SHAPE: [usize; 1] = s![0, 5].output_shape([4, 5, 6]);

fn main() {}
