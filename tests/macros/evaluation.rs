//! Checks that each bound of a slice is evaluated once, and that the bounds are evaluated from left to right.

use std::cell::RefCell;

use slice_core::{SliceSpec, s};

/// Calls `slice` with a function that records and returns its argument. Returns all recorded arguments in order.
fn recorded<const M: usize, K>(slice: impl Fn(&dyn Fn(i64) -> i64) -> SliceSpec<M, K>) -> Vec<i64> {
    let calls = RefCell::new(Vec::new());
    let _ = slice(&|n| {
        calls.borrow_mut().push(n);
        n
    });
    calls.into_inner()
}

#[test]
fn bounds_are_evaluated_once_from_left_to_right() {
    assert_eq!(recorded(|f| s![f(1)]), [1]);
    assert_eq!(recorded(|f| s![f(1):]), [1]);
    assert_eq!(recorded(|f| s![:f(1)]), [1]);
    assert_eq!(recorded(|f| s![::f(1)]), [1]);
    assert_eq!(recorded(|f| s![f(3):f(2):f(1)]), [3, 2, 1]);
    assert_eq!(
        recorded(|f| s![f(4), f(3):f(2), ..., newaxis, ::f(1), f(7)]),
        [4, 3, 2, 1, 7]
    );
    assert_eq!(recorded(|f| s![5, f(2):6:f(9), f(1)]), [2, 9, 1]);
    assert_eq!(
        recorded(|f| s![(f(1)), { f(2) }:if f(3) > 0 { f(4) } else { f(5) }:-(-f(6))]),
        [1, 2, 3, 4, 6]
    );
}

#[test]
fn bounds_after_an_early_exit_are_not_evaluated() {
    fn stops(calls: &RefCell<Vec<i64>>, fails: bool) -> Option<[i64; 3]> {
        let note = |n: i64| {
            calls.borrow_mut().push(n);
            if fails && n == 2 { None } else { Some(n) }
        };
        let spec = s![note(1)?:note(2)?:note(3)?];
        Some([spec.begin()[0], spec.end()[0], spec.strides()[0]])
    }
    let calls = RefCell::default();
    assert_eq!(stops(&calls, true), None);
    assert_eq!(calls.take(), [1, 2]);
    assert_eq!(stops(&calls, false), Some([1, 2, 3]));
    assert_eq!(calls.take(), [1, 2, 3]);
}

#[test]
fn temporaries_in_bounds_live_long_enough() {
    let spec =
        s!["abc".to_owned().as_str().len():(Vec::from([1, 2]).iter().copied().max().unwrap())];
    assert_eq!((spec.begin(), spec.end()), (&[3], &[2]));
}

#[test]
fn later_bounds_see_mutations_by_earlier_bounds() {
    let mut n = 0;
    let mut next = || {
        n += 1;
        n
    };
    let spec = s![next():next():next(), next()];
    assert_eq!(
        (spec.begin(), spec.end(), spec.strides()),
        (&[1, 4], &[2, 5], &[3, 1])
    );
}
