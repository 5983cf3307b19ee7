//! Checks that constants and variables can be steps. A constant step of 0 does not compile. A step in a variable is
//! checked at run time.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use slice_core::{SliceSpec, kind::Range, s};

const STEP: i32 = -3;
static SHARED_STEP: usize = 4;

trait Every {
    const N: u8;
    fn spec() -> SliceSpec<2, (Range, (Range, ()))> {
        s![::(Self::N), ::-(i64::MAX)]
    }
}

struct Second;

impl Every for Second {
    const N: u8 = 2;
}

fn generic<const N: i64>() -> i64 {
    s![::-N].strides()[0]
}

const CONSTANT_SPEC: SliceSpec<1, (Range, ())> = s![::STEP];

#[expect(non_snake_case)]
pub fn main() {
    assert_eq!(
        s![::STEP, ::(STEP), ::-STEP, ::-(STEP)].strides(),
        &[-3, -3, 3, 3]
    );
    assert_eq!(
        s![::SHARED_STEP, ::(Second::N), ::(<Second as Every>::N)].strides(),
        &[4, 2, 2]
    );
    assert_eq!(CONSTANT_SPEC.strides(), &[-3]);
    assert_eq!(Second::spec().strides(), &[2, -i64::MAX]);
    assert_eq!(generic::<5>(), -5);

    // The macro treats a name in capitals as a constant, unless the name is in a block.
    let K = std::env::args().take(1).count();
    assert_eq!(s![::{ K }, ::{ K } + 1].strides(), &[1, 2]);
}
