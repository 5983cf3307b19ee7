//! Checks `s!` in generic functions in which the type of a bound is a type parameter.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
#![allow(
    clippy::if_same_then_else,
    reason = "the test needs an `if` expression as an index"
)]

use slice_core::bound::{IndexBound, IntegerBound, RangeBound};
use slice_core::{DynSliceSpec, s};

fn range<T: RangeBound>(n: T) -> [DynSliceSpec; 4] {
    [
        s![n:].to_dyn(),
        s![:n].to_dyn(),
        s![::n].to_dyn(),
        s![..., n:n:n, newaxis].to_dyn(),
    ]
}

fn optional<T: IntegerBound>(n: Option<T>) -> [DynSliceSpec; 3]
where
    Option<T>: RangeBound,
{
    [s![n:].to_dyn(), s![:n].to_dyn(), s![::n].to_dyn()]
}

fn integer<T: IntegerBound>(n: T) -> [DynSliceSpec; 5] {
    [
        s![-n:].to_dyn(),
        s![:-n].to_dyn(),
        s![::-n].to_dyn(),
        s![--n:-(-n)].to_dyn(),
        s![n:].to_dyn(),
    ]
}

fn index<T: IndexBound>(n: T) -> [DynSliceSpec; 4] {
    [
        s![n].to_dyn(),
        s![-n, n].to_dyn(),
        s![n:-n, n].to_dyn(),
        s![{ n }, (n), if true { n } else { n }].to_dyn(),
    ]
}

fn arithmetic<T: IndexBound + std::ops::Add<Output = T>>(n: T) -> DynSliceSpec {
    s![n + n:, n + n].to_dyn()
}

macro_rules! compare {
    ($($int:ident)*) => { $(
        for n in [1, 2, 7, <$int>::MAX] {
            let spec = |text: String| text.parse::<DynSliceSpec>().unwrap();
            let saturated = i64::try_from(n).unwrap_or(i64::MAX);
            assert_eq!(range(n), [
                spec(format!("{saturated}:")), spec(format!(":{saturated}")), spec(format!("::{saturated}")),
                spec(format!("..., {saturated}:{saturated}:{saturated}, None")),
            ]);
            assert_eq!(range(Some(n)), range(n));
            assert_eq!(optional(Some(n))[..], range(n)[..3]);
            let negated = i64::try_from(n).map_or(i64::MIN, |n| -n);
            assert_eq!(integer(n), [
                spec(format!("{negated}:")), spec(format!(":{negated}")), spec(format!("::{negated}")),
                spec(format!("{saturated}:{saturated}")), spec(format!("{saturated}:")),
            ]);
            // An index of `i64::MAX` is not compared, because its end, `i64::MAX + 1`, does not fit in an `i64`.
            if saturated < i64::MAX {
                assert_eq!(index(n), [
                    spec(format!("{saturated}")), spec(format!("{negated}, {saturated}")),
                    spec(format!("{saturated}:{negated}, {saturated}")),
                    spec(format!("{saturated}, {saturated}, {saturated}")),
                ]);
            }
            if let Some(sum) = n.checked_add(n) {
                let sum = i64::try_from(sum).unwrap_or(i64::MAX);
                assert_eq!(arithmetic(n), s![sum:, sum].to_dyn());
            }
        }
        let whole: DynSliceSpec = ":".parse().unwrap();
        assert!(range(None::<$int>)[..3].iter().all(|spec| spec.resolve(&[9]) == whole.resolve(&[9])));
    )* };
}

/// Uses a value of a generic type as the end of a range. `bound/generic_parameter.rs` lacks the trait bound
/// `RangeBound`, which the compiler suggests.
fn head<T: Into<i64> + RangeBound>(n: T) -> [i64; 1] {
    *s![:n].end()
}

pub fn main() {
    compare!(i8 i16 i32 i64 isize u8 u16 u32 u64 usize i128);
    assert_eq!(range(i128::MIN)[0], s![i64::MIN:].to_dyn());
    assert_eq!(integer(i128::MIN)[0], s![i64::MAX:].to_dyn());
    assert_eq!(head(3), [3]);
}
