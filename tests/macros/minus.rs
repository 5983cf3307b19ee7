//! Checks that a minus sign before a bound negates the whole bound, for every type of bound.

use std::ops::Neg;

use slice_core::{SliceSpec, kind, s};

type Range = SliceSpec<1, (kind::Range, ())>;

/// Clamps a number to the range of `i64`.
fn clamped(exact: i128) -> i64 {
    exact.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

macro_rules! check_every_type {
    ($($int:ty)*) => { $(
        for p in [0, 1, 2, <$int>::MAX / 2, <$int>::MAX - 1, <$int>::MAX, <$int>::MIN] {
            let exact = (p as i128).saturating_neg();
            let (negative, positive) = (clamped(exact), clamped(p as i128));
            let spec = s![p:-p:-p, -p, -(p), --p, -{ p }, -(-(-p))];
            let after = negative.saturating_add(1);
            assert_eq!(spec.begin(), &[positive, negative, negative, positive, negative, negative]);
            assert_eq!(spec.end(), &[negative, after, after, positive.saturating_add(1), after, after]);
            assert_eq!(spec.strides()[0], negative);
        }
    )* };
}

#[test]
fn a_minus_sign_negates_bounds_of_every_supported_integer_type() {
    check_every_type!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 usize);
}

#[test]
fn a_negated_variable_counts_from_the_end_as_in_numpy() {
    let x: Vec<i32> = (0..10).collect();
    let (p, order) = (3_usize, 4_u32);
    let selected = |spec: Range| spec.resolve(&[10]).unwrap().gather(&x).unwrap();
    assert_eq!(selected(s![p:-p]), [3, 4, 5, 6]);
    assert_eq!(selected(s![-p:]), [7, 8, 9]);
    assert_eq!(selected(s![:-(x.len() / 5)]), x[..8]);
    assert_eq!(selected(s![-order::-p]), [6, 3, 0]);
    let zero = 0_usize;
    assert_eq!(selected(s![-zero:]), x);
    assert!(selected(s![:-zero]).is_empty());
}

#[test]
fn a_minus_sign_negates_values_of_other_types_with_neg() {
    #[derive(Clone, Copy)]
    struct FromEnd(i64);

    impl Neg for FromEnd {
        type Output = i64;

        fn neg(self) -> i64 {
            -1 - self.0
        }
    }

    let (last, n) = (FromEnd(0), 4_i32);
    let r = &n;
    assert_eq!(
        s![-last, -FromEnd(2), -r, -&n, -*r].begin(),
        &[-1, -3, -4, -4, -4]
    );
    assert_eq!(s![-r:-last:-r].strides(), &[-4]);
}

/// A constant range with literals of unsigned types.
const LITERALS: Range = s![-3usize:-0u8:-255u8];
const N: usize = 3;
const CONSTANT: Range = s![-N:-usize::MAX:-N];

#[test]
fn a_minus_sign_negates_bounds_in_constants() {
    assert_eq!(
        (LITERALS.begin(), LITERALS.end(), LITERALS.strides()),
        (&[-3], &[0], &[-255])
    );
    assert_eq!(
        (CONSTANT.begin(), CONSTANT.end(), CONSTANT.strides()),
        // If `usize` has 64 bits, the end is clamped to `i64::MIN`.
        (
            &[-3],
            &[0_i64.saturating_sub_unsigned(usize::MAX as u64)],
            &[-3]
        )
    );
}
