use slice_core::s;

const DEEP: [[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1] = [[[[[[[0]; 1]; 1]; 1]; 1]; 1]; 1];
const SAME: [[[[[[[u8; 1]; 1]; 1]; 1]; 1]; 1]; 1] = s![...].gather_nested(&DEEP);

fn main() {}
