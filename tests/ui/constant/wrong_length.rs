use slice_core::s;

const EVEN: [i16; 3] = s![::2].gather_array(&[1, 2, 3, 4, 5, 6, 7], [7]);

fn main() {}
