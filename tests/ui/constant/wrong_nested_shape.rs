use slice_core::s;

const GLYPH: [[u8; 5]; 7] = [[0; 5]; 7];
const TURNED: [[u8; 7]; 5] = s![::-1, ::-1].gather_nested(&GLYPH);

fn main() {}
