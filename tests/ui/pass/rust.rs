//! Checks that a bound can be any Rust integer expression, including paths, references and the turbofish.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// These lints warn about unusual expressions, which are the subject of this test.
#![allow(
    unused_qualifications,
    clippy::suspicious_unary_op_formatting,
    clippy::unnecessary_cast,
    clippy::legacy_numeric_constants,
    clippy::deref_addrof,
    clippy::op_ref,
    clippy::diverging_sub_expression,
    clippy::never_loop
)]

use slice_core::{SliceSpec, kind, s};

type Range = SliceSpec<1, (kind::Range, ())>;
type Index = SliceSpec<1, (kind::Index, ())>;

trait Dims {
    const NDIM: usize;
    const STEP: i64 = 3;

    fn axes() -> usize {
        Self::NDIM
    }
}

struct Image;

impl Dims for Image {
    const NDIM: usize = 2;
}

struct Pair<A, B>(A, B);

impl<A, B> Pair<A, B> {
    const N: usize = size_of::<A>() + size_of::<B>();
}

#[derive(PartialEq)]
enum Mode {
    Fast,
    Slow = 5,
}

mod config {
    pub const N: usize = 4;

    pub mod deep {
        pub const LIMIT: i16 = -7;

        pub fn twice<A, B>(n: usize) -> usize {
            n * size_of::<A>() * size_of::<B>()
        }
    }
}

fn twice<A, B>(n: usize) -> usize {
    n * size_of::<A>() * size_of::<B>()
}

/// Returns the `begin`, the `end` and the stride of a range.
fn range(spec: Range) -> [i64; 3] {
    [spec.begin()[0], spec.end()[0], spec.strides()[0]]
}

fn index(spec: Index) -> i64 {
    spec.begin()[0]
}

fn generic_range<D: Dims, T: Dims>() -> [i64; 3] {
    range(s![D::NDIM:T::axes():D::STEP])
}

macro_rules! as_every_bound {
    ($i:expr) => {
        (index(s![$i]), range(s![$i:])[0], range(s![:$i])[1], range(s![::$i])[2])
    };
}

macro_rules! type_range {
    ($t:ty) => {
        range(s![<$t>::MIN:<$t>::MAX:$t::BITS])
    };
}

macro_rules! crate_constants {
    () => {
        [index(s![$crate::TOP]), range(s![$crate::config::N:])[0], range(s![::$crate::TOP])[2]]
    };
}

const TOP: usize = 9;
const N: u8 = 3;

fn main() {
    // references
    let (n, step) = (6_usize, 2_usize);
    let r = &n;
    let rr = &r;
    assert_eq!(
        [index(s![2 * *r]), index(s![*r * *r]), index(s![**rr])],
        [12, 36, 6]
    );
    assert_eq!(range(s![n * **rr:2 ** r]), [36, 12, 1]);
    assert_eq!(index(s![7 & &n]), 6);
    assert_eq!(range(s![7 & &n:7 | &n:1 << &step]), [6, 7, 4]);

    // commas and colons that belong to a path
    assert_eq!(index(s![twice::<u16, u32>(1)]), 8);
    assert_eq!(range(s![twice::<u16, Pair<u8, u8>>(1):n]), [4, 6, 1]);
    assert_eq!(range(s![n:twice::<u8, [u8; 3]>(2)]), [6, 6, 1]);
    assert_eq!(index(s![<Image as Dims>::NDIM]), 2);
    assert_eq!(
        range(s![<Image as Dims>::NDIM:<Image as Dims>::axes():<Image as Dims>::STEP]),
        [2, 2, 3]
    );
    assert_eq!(range(s![n::<Image as Dims>::STEP]), [6, 0, 3]);
    assert_eq!(range(s![Pair::<u8, u16>::N:Image::NDIM]), [3, 2, 1]);
    assert_eq!(range(s![[1_u8, 2].iter().sum::<u8>():]), [3, 0, 1]);
    assert_eq!(range(s![n as usize::step]), [6, 0, 2]);
    assert_eq!(generic_range::<Image, Image>(), [2, 2, 3]);
    assert_eq!(type_range!(i8), [-128, 127, 8]);
    assert_eq!(type_range!(u16), [0, 65535, 16]);
    assert_eq!(crate_constants!(), [9, 4, 9]);
    assert_eq!(
        range(s![usize::MAX:i32::MAX:i32::MIN]),
        [i64::MAX, 2_147_483_647, -2_147_483_648]
    );
    assert_eq!(range(s![u8::MAX:u8::max_value()]), [255, 255, 1]);
    assert_eq!(
        as_every_bound!(usize::MAX),
        (i64::MAX, i64::MAX, i64::MAX, i64::MAX)
    );
    assert_eq!(as_every_bound!(Image::NDIM), (2, 2, 2, 2));
    assert_eq!(as_every_bound!(n - 1), (5, 5, 5, 5));
    assert_eq!(
        range(s![crate::config::N:self::config::N:crate::config::deep::LIMIT]),
        [4, 4, -7]
    );
    assert_eq!(index(s![Mode::Slow as u8]), 5);

    // `::` in a path, with and without another `::` that separates a step
    assert_eq!(index(s![std::mem::size_of::<u32>()]), 4);
    assert_eq!(range(s![config::N:]), [4, 0, 1]);
    assert_eq!(range(s![n:config::N]), [6, 4, 1]);
    assert_eq!(range(s![config::N::2]), [4, 0, 2]);
    assert_eq!(range(s![config::N::step]), [4, 0, 2]);
    assert_eq!(index(s![config::deep::LIMIT]), -7);
    assert_eq!(index(s![config::deep::twice::<u8, u16>(3)]), 6);
    assert_eq!(range(s![Image::NDIM::step]), [2, 0, 2]);
    assert_eq!(range(s![usize::BITS::step]), [64, 0, 2]);

    // `::` between the `begin` and the step of a range, even if the `begin` shares its name with a module
    assert_eq!(range(s![n::2]), [6, 0, 2]);
    assert_eq!(range(s![n::step]), [6, 0, 2]);
    let config = 1;
    assert_eq!(range(s![config::N]), [1, 0, 3]);
    assert_eq!(range(s![N::step]), [3, 0, 2]);

    // blocks in bounds
    let m = Mode::Fast;
    assert_eq!(range(s![if m == Mode::Fast { 1 } else { 2 }:]), [1, 0, 1]);
    assert_eq!(
        range(s![if n == config::N { 1 } else if n == 6 { 2 } else { 3 }:n]),
        [2, 6, 1]
    );
    assert_eq!(
        range(s![:match m { Mode::Fast => 1, Mode::Slow => 2 }]),
        [0, 1, 1]
    );
    assert_eq!(index(s![if let Mode::Slow = m { 1 } else { 2 }]), 2);
    assert_eq!(
        range(s!['outer: loop { break 'outer 4 }:'block: { break 'block 5 }]),
        [4, 5, 1]
    );
    assert_eq!([diverging(0), diverging(2)], [7, 8]);
    assert_eq!(
        range(s![call_with_two(|a: usize, b: usize| a + b):]),
        [3, 0, 1]
    );
}

/// A bound that diverges leaves the function or the loop, like any other diverging expression.
#[expect(unreachable_code, reason = "the bounds diverge")]
fn diverging(which: u8) -> i64 {
    match which {
        0 => index(s![return 7]),
        1 => range(s![todo!():])[0],
        _ => loop {
            let _ = s![::break 8];
        },
    }
}

fn call_with_two(f: impl Fn(usize, usize) -> usize) -> usize {
    f(1, 2)
}
