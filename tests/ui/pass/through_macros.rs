//! Checks slices whose tokens other macros pass on. `s!` must still recognize literals.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use slice_core::{SliceSpec, kind, s};

macro_rules! expression {
    ($begin:expr, $end:expr, $stride:expr) => {
        s![$begin:$end:$stride]
    };
}

macro_rules! literal {
    ($begin:literal, $end:literal) => {
        s![$begin:$end, -$end]
    };
}

macro_rules! pieces {
    ($name:ident, $path:path, $token:tt, $block:block) => {
        s![$name:$path:$token, $block]
    };
}

macro_rules! whole {
    ($($slice:tt)*) => {
        s![$($slice)*]
    };
}

macro_rules! item {
    ($item:expr) => {
        s![$item, 0]
    };
}

macro_rules! columns {
    ($($column:expr),*) => {
        [$(s![:, $column]),*]
    };
}

mod limits {
    pub const LIMIT: usize = 9;
}

// The macro evaluates literals in parentheses, in blocks and after a minus sign, so the expansion contains only
// numbers.
const FOLDED: SliceSpec<1, (kind::Range, ())> = expression!(-1, (-0x7), { -2 });

pub fn main() {
    let read =
        |spec: SliceSpec<1, (kind::Range, ())>| (spec.begin()[0], spec.end()[0], spec.strides()[0]);
    assert_eq!(read(FOLDED), (-1, -7, -2));
    assert_eq!(read(expression!(1 + 2, 3 * 4, -(5 - 3))), (3, 12, -2));
    let two = 2;
    assert_eq!(read(expression!(two, two + 1, two * two)), (2, 3, 4));

    let spec = literal!(-4, 3);
    assert_eq!((spec.begin(), spec.end()), (&[-4, -3], &[3, -2]));

    let name = 1_u8;
    let spec = pieces!(name, limits::LIMIT, 2, { 5 });
    assert_eq!(
        (spec.begin(), spec.end(), spec.strides()),
        (&[1, 5], &[9, 6], &[2, 1])
    );
    let spec = pieces!(name, limits::LIMIT, (3), { name });
    assert_eq!(
        (spec.begin(), spec.end(), spec.strides()),
        (&[1, 1], &[9, 2], &[3, 1])
    );

    let spec = whole![1:, ..., newaxis, :-3:-1];
    assert_eq!(
        (spec.ellipsis_mask(), spec.new_axis_mask(), spec.end_mask()),
        (2, 4, 1)
    );

    assert_eq!(item!(newaxis).new_axis_mask(), 1);
    assert_eq!(item!(None).new_axis_mask(), 1);
    assert_eq!(item!(-3).begin(), &[-3, 0]);
    assert_eq!(columns![0, -1, two].map(|spec| spec.begin()[1]), [0, -1, 2]);
}
