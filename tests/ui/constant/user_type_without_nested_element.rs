use slice_core::s;

#[derive(Clone, Copy)]
struct Rgb(u8, u8, u8);

const FLAG: [Rgb; 2] = [Rgb(0, 0, 0), Rgb(255, 0, 0)];
const TURNED: [Rgb; 2] = s![::-1].gather_nested(&FLAG);

fn main() {}
