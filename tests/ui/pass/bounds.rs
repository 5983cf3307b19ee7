//! Checks bounds that are unusual but legal. A bound can be any expression whose type is an integer type other than
//! `u128`.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// These lints warn about unusual expressions, which are the subject of this test.
#![allow(
    clippy::redundant_closure_call,
    clippy::never_loop,
    clippy::diverging_sub_expression
)]
#![allow(
    clippy::deref_addrof,
    clippy::let_and_return,
    clippy::cast_possible_wrap
)]

use slice_core::{SliceSpec, s};

struct Window {
    begin: usize,
    size: (usize, i32),
}

impl Window {
    const STEP: i64 = 2;

    fn end(&self) -> usize {
        self.begin + self.size.0
    }

    fn spec(&self) -> SliceSpec<1, (slice_core::kind::Range, ())> {
        s![self.begin:self.end():(Self::STEP)]
    }
}

macro_rules! four {
    () => {
        4
    };
    ($n:expr) => {
        4 * $n
    };
}

fn parsed(text: &str) -> Result<i64, std::num::ParseIntError> {
    let spec = s![(text.parse::<i64>()?)];
    Ok(spec.begin()[0])
}

fn generic<const N: usize, T: Into<i64> + Copy>(begin: T) -> [i64; 3] {
    let spec = s![begin.into():N:N];
    [spec.begin()[0], spec.end()[0], spec.strides()[0]]
}

const fn at_compile_time(
    n: usize,
) -> SliceSpec<2, (slice_core::kind::Range, (slice_core::kind::Index, ()))> {
    s![n:n + 3, n * 2]
}

const SPEC: SliceSpec<2, (slice_core::kind::Range, (slice_core::kind::Index, ()))> =
    at_compile_time(4);

/// Negates references, also to numbers whose negative does not fit in their type, and calls functions that have the names of
/// Python's functions.
fn references_and_calls() {
    let (small, lowest) = (&3_i8, &i64::MIN);
    let spec = s![-small:-&i8::MIN:-lowest];
    assert_eq!(
        (spec.begin(), spec.end(), spec.strides()),
        (&[-3], &[128], &[i64::MAX])
    );
    let slice = |n: i64| n;
    let (range, int) = (slice, slice);
    let spec = s![(slice(1)), (range(2)):(int(3))];
    assert_eq!((spec.begin(), spec.end()), (&[1, 2], &[2, 3]));
}

pub fn main() {
    references_and_calls();
    let window = Window {
        begin: 3,
        size: (4, -1),
    };
    let spec = window.spec();
    assert_eq!(
        (spec.begin()[0], spec.end()[0], spec.strides()[0]),
        (3, 7, 2)
    );

    let (n, list, r#type) = (5_usize, [1_u8, 2, 3], 6_i16);
    let condition = list.len() == 3;
    let read = |spec: SliceSpec<1, (slice_core::kind::Range, ())>| {
        (spec.begin()[0], spec.end()[0], spec.strides()[0])
    };

    // blocks, branches, loops, immediately called closures
    assert_eq!(read(s![{ n }:{ let m = n + 1; m }]), (5, 6, 1));
    assert_eq!(
        read(s![if condition { 1 } else { 2 }:if n > 9 { 3 } else { 4 }:5]),
        (1, 4, 5)
    );
    assert_eq!(
        read(s![match n { 5 => 1, _ => 2 }:match list { [first, ..] => first }]),
        (1, 1, 1)
    );
    assert_eq!(
        read(s![loop { break 3 }:(|| n + 2)():const { 1 + 2 }]),
        (3, 7, 3)
    );
    assert_eq!(
        read(s![(|x: i32| x + 1)(2):('a: { break 'a 5 })]),
        (3, 5, 1)
    );
    assert_eq!(read(s![{ n }:((n + 1)):{ (2) }]), (5, 6, 2));

    // methods, fields, indexing, casts, macros, dereferencing
    assert_eq!(
        read(
            s![list.iter().map(|&x| i64::from(x)).max().unwrap_or(n as i64):list[2]:window.size.1]
        ),
        (3, 3, -1)
    );
    assert_eq!(
        read(s![n as i64 - 9:-(n.cast_signed()):!n.cast_signed()]),
        (-4, -5, -6)
    );
    assert_eq!(read(s![four!():four!(n):vec![1, 2].len()]), (4, 20, 2));
    assert_eq!(read(s![*&n:**&&n:r#type]), (5, 5, 6));
    assert_eq!(read(s![n << 2 | 1:n >> 1 & 1:n % 3]), (21, 0, 2));
    assert_eq!(
        read(s![s![1:, 7].begin()[1]:s![..., 0].strides()[0] + 3]),
        (7, 4, 1)
    );
    assert_eq!(
        read(s![Window { begin: 1, size: (2, 3) }.end():(usize::MAX)]),
        (3, i64::try_from(usize::MAX).unwrap_or(i64::MAX), 1)
    );
    assert_eq!(
        read(s![(size_of::<u16>()):(i64::MIN):(Window::STEP)]),
        (2, i64::MIN, 2)
    );
    assert_eq!(
        read(s![(<i8>::MIN):(<u8 as Into<u64>>::into(9)):-(Window::STEP)]),
        (-128, 9, -2)
    );
    assert_eq!(read(s![n::r#type]), (5, 0, 6));
    assert_eq!(read(s![b'a':b'z']), (97, 122, 1));

    // every integer type except `u128`; numbers outside the range of `i64` become the nearest `i64`
    assert_eq!(read(s![1_i8 + 1:1_i16 + 1:1_i32 + 1]), (2, 2, 2));
    assert_eq!(read(s![1_i64 + 1:1_i128 + 1:1_isize + 1]), (2, 2, 2));
    assert_eq!(
        read(s![(u8::MAX):(u16::MAX):(u32::MAX)]),
        (255, 65_535, 4_294_967_295)
    );
    assert_eq!(
        read(s![(u64::MAX):(usize::MAX):(i128::MAX)]),
        (
            i64::MAX,
            i64::try_from(usize::MAX).unwrap_or(i64::MAX),
            i64::MAX
        )
    );
    assert_eq!(
        read(s![(i128::MIN):(i64::MIN):(isize::MIN)]),
        (i64::MIN, i64::MIN, isize::MIN as i64)
    );
    let index = s![(u64::MAX), n, -2 + 1];
    assert_eq!(
        (index.begin(), index.end()),
        (&[i64::MAX, 5, -1], &[i64::MAX, 6, 0])
    );

    // in parentheses and as raw identifiers, the macro's keywords are ordinary names
    let (newaxis, none) = (1, 2);
    assert_eq!(read(s![r#newaxis:(none)]), (newaxis, 2, 1));
    assert_eq!(read(s![(newaxis):(none)]), (newaxis, 2, 1));
    let spec = s![(newaxis), newaxis, (newaxis), -(newaxis)];
    assert_eq!((spec.begin(), spec.new_axis_mask()), (&[1, 0, 1, -1], 2));
    // words that other languages use as bounds are ordinary names
    let (end, to, args) = (3, 4, &5);
    let spec = s![end, end - 1, *args, to, :end, 1:end - 1, end:to];
    assert_eq!(spec.begin(), &[3, 2, 5, 4, 0, 1, 3]);
    assert_eq!(spec.end(), &[4, 3, 6, 5, 3, 2, 4]);

    assert_eq!(parsed("12"), Ok(12));
    assert!(parsed("?").is_err());
    assert_eq!(generic::<3, i32>(-1), [-1, 3, 3]);

    assert_eq!((SPEC.begin(), SPEC.end()), (&[4, 8], &[7, 9]));
}
