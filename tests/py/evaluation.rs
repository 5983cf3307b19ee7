//! Checks that `py!` evaluates every expression exactly once, and in the same order as Python.

use std::cell::RefCell;

use ndarray::{Array1, ArrayViewMut1, array};
use slice_core::py;

/// The names of the evaluated expressions, in order of evaluation.
#[derive(Default)]
struct Log(RefCell<Vec<&'static str>>);

impl Log {
    fn note<T>(&self, name: &'static str, value: T) -> T {
        self.0.borrow_mut().push(name);
        value
    }

    fn take(&self) -> Vec<&'static str> {
        self.0.take()
    }
}

#[test]
fn operands_and_bounds_are_evaluated_from_left_to_right() {
    let (log, a, b) = (Log::default(), array![1, 2, 3], array![4, 5, 6]);
    let sum = py!(
        log.note("a", &a)[log.note("begin", 0):log.note("end", 2)]
            + log.note("b", &b)[log.note("first", 1):][..., log.note("none", None::<()>).map_or(0, |()| 1):]
    );
    assert_eq!(sum, array![6, 8]);
    assert_eq!(log.take(), ["a", "begin", "end", "b", "first", "none"]);
}

#[test]
fn a_call_in_a_cast_is_evaluated_before_the_right_side() {
    let numbers: Vec<usize> = (0..100).collect();
    let mut digits = [1_u8, 2].into_iter();
    let mut next = || digits.next().unwrap();
    assert_eq!(py!(numbers[next() as usize * 10 + next() as usize]), 12);
    let (log, x) = (Log::default(), array![1, 2, 3]);
    let products = py!(log.note("left", 2_u8) as i32 * x[log.note("right", 1):]);
    assert_eq!(
        (products, log.take()),
        (array![4, 6], vec!["left", "right"])
    );
}

#[test]
fn assignment_evaluates_the_value_first() {
    let (log, mut a) = (Log::default(), array![1, 2, 3]);
    py!(log.note("array", &mut a)[log.note("bound", 1):] = log.note("value", 7));
    assert_eq!(log.take(), ["value", "array", "bound"]);
    py!(a[log.note("bound", 1):] = log.note("value", 8));
    assert_eq!(log.take(), ["value", "bound"]);
    assert_eq!(a, array![1, 8, 8]);
}

#[test]
fn compound_assignment_evaluates_the_value_last() {
    let (log, mut a) = (Log::default(), array![1, 2, 3]);
    py!(log.note("array", &mut a)[log.note("bound", 1):] += log.note("value", 7));
    assert_eq!(log.take(), ["array", "bound", "value"]);
    py!(a[log.note("bound", 1):] -= log.note("value", 1));
    assert_eq!(log.take(), ["bound", "value"]);
    assert_eq!(a, array![1, 8, 9]);
}

#[test]
fn the_indices_of_a_target_are_evaluated_from_left_to_right() {
    let (log, mut a) = (Log::default(), array![[1, 2], [3, 4]]);
    py!(a[log.note("row", 1)][log.note("column", 0)] = log.note("value", 9));
    assert_eq!(log.take(), ["value", "row", "column"]);
    assert_eq!(a, array![[1, 2], [9, 4]]);
}

#[test]
fn the_target_of_an_assignment_is_evaluated_after_the_value() {
    fn grow(a: &mut Array1<i32>) -> i32 {
        a.push(ndarray::Axis(0), ndarray::arr0(9).view()).unwrap();
        1
    }
    let mut a = array![1, 2];
    // As in Python, `a[1:] = grow(a)` slices `a` after the call to `grow`, so the slice includes the appended element.
    py!(a[1:] = grow(&mut a));
    assert_eq!(a, array![1, 1, 1]);
    py!(a[a.len() - 1:] = 5);
    py!(a[:a.len() - 2] += a[1,][()]);
    assert_eq!(a, array![2, 1, 5]);
}

#[test]
fn temporaries_live_until_the_end_of_the_statement() {
    struct Guard<'a>(&'a Log, Array1<i32>);
    impl Guard<'_> {
        fn view_mut(&mut self) -> ArrayViewMut1<'_, i32> {
            self.1.view_mut()
        }
    }
    impl Drop for Guard<'_> {
        fn drop(&mut self) {
            self.0.note("dropped", ());
        }
    }
    let log = Log::default();
    let guard = || Guard(&log, array![1, 2, 3]);
    py!(guard().view_mut()[1:] = log.note("value", 1));
    assert_eq!(log.take(), ["value", "dropped"]);
    let sum = py!(guard().1[1:] + log.note("value", 1));
    assert_eq!((sum, log.take()), (array![3, 4], vec!["value", "dropped"]));
}
