//! The compiler must report the slice with a hint, because the macro reads it as one path, not as a constant and a
//! step.

use slice_core::s;

struct Crop;

impl Crop {
    const N: i64 = 1;
    const STEP: i64 = 2;
}

fn main() {
    let _ = s![Crop::N::Crop::STEP];
}
