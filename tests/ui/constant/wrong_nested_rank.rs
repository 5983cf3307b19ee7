use slice_core::s;

const GLYPH: [[u8; 5]; 7] = [[0; 5]; 7];
const COLUMN: [[u8; 1]; 7] = s![:, 0].gather_nested(&GLYPH);

fn main() {}
