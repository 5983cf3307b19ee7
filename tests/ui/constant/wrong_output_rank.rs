use slice_core::s;

const SHAPE: [usize; 2] = s![..., newaxis].output_shape([4, 5, 6]);

fn main() {}
