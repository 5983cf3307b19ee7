//! The compiler must report `N::N` with a hint, because the macro reads it as a path, not as a constant and a step.

use slice_core::s;

const N: i64 = 2;

fn main() {
    let _ = s![N::N];
}
