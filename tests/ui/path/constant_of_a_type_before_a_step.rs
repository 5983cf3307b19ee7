//! An associated constant before a step must be in parentheses, as in the first slice. The compiler must report the
//! second slice with a hint.

use slice_core::s;

struct Every;

const STEP: i32 = 2;

impl Every {
    const N: i32 = 3;
    fn spec() {
        let _ = s![(Self::N)::STEP];
        let _ = s![Self::N::STEP];
    }
}

fn main() {
    Every::spec();
}
