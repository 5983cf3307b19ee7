use slice_core::s;

const TABLE: [u8; 12] = [0; 12];
const ROW: [u8; 5] = s![0].gather_array(&TABLE, [3, 5]);

fn main() {}
