//! Checks that all code in `py!` except slices keeps its Rust meaning.

use std::collections::HashMap;

use ndarray::{Array1, Array2, array};
use slice_core::py;

const FIRST: usize = 0;

struct Numbers;

impl Numbers {
    const N: usize = 1;
    fn n<T, U>() -> usize {
        size_of::<T>() + size_of::<U>() - 1
    }
}

#[test]
fn indices_keep_their_rust_meaning() {
    let (v, names) = (vec![1, 2, 3], HashMap::from([("a", 1)]));
    let a = array![[1, 2], [3, 4]];
    let (i, j, below) = (1, 0, -1);
    py! {
        assert_eq!(v[i], 2);
        assert_eq!(v[Numbers::N], 2);
        assert_eq!(v[Numbers::n::<u8, u16>()], 3);
        assert_eq!(v[FIRST + (Numbers::N)], 2);
        assert_eq!(v[usize::MIN], 1);
        assert_eq!(v[std::process::id().min(1) as usize], 2);
        assert_eq!(v[-below as usize], 2);
        assert_eq!(v[1..], [2, 3]);
        assert_eq!(v[..], [1, 2, 3]);
        assert_eq!(names["a"], 1);
        assert_eq!(a[[i, j]], array![[3, 4], [1, 2]]);
        assert_eq!(a[(i, j)], 3);
        assert_eq!(a[i, j][()], 3);
        assert_eq!(a[i, j], 3);
        assert_eq!(a[i, j, ...], ndarray::arr0(3));
        assert_eq!([1, 2, 3][i], 2);
        assert_eq!([[1, 2], [3, 4]][i][j], 3);
        assert_eq!(match i { 1 => [5, 6], _ => [7, 8] }[j], 5);
    }
}

#[test]
fn operators_borrow_named_arrays() {
    let (a, b) = (array![1, 2], array![3, 4]);
    let name = String::from("a");
    // Text is moved, as in Rust.
    let both = py!(name + "b");
    assert_eq!(both, "ab");
    assert_eq!(py!(&a + &b), array![4, 6]);
    assert_eq!(py!(a + b), array![4, 6]);
    assert_eq!(a.len() + b.len(), 4);
    let lazy = |x: i32| py!(x + 1);
    assert_eq!(lazy(1), 2);
}

#[test]
fn statements_keep_their_rust_meaning() -> Result<(), String> {
    let x = array![1, 2, 3, 4, 5, 6];
    let total: i32 = py! {
        let mut total = 0;
        for (i, row) in x[::2].iter().enumerate() {
            if i == 1 { continue; }
            total += row;
        }
        'outer: loop {
            while total < 100 {
                total += match total { 0..10 => x[1:].sum(), n if n > 50 => 50, _ => break 'outer };
            }
        }
        let add = |k: i32| x[k:].iter().map(|v| v + k).sum::<i32>();
        if let Some(first) = x[:1].first() && *first == 1 {
            total += add(4);
        } else {
            return Err("no first element".to_owned());
        }
        let Some(last) = x[::-1].first().copied() else { return Err("no last element".into()) };
        checked(x[2:4].to_vec())?;
        total + last
    };
    assert_eq!(total, 26 + 19 + 6);
    Ok(())
}

fn checked(v: Vec<i32>) -> Result<(), String> {
    (v == [3, 4]).then_some(()).ok_or(format!("{v:?}"))
}

#[test]
fn return_and_question_mark_return_from_the_enclosing_function() {
    fn early(x: &Array1<i32>) -> Option<i32> {
        let tail = py!(x[1:].first().copied()?);
        py! {
            if tail > 1 {
                return Some(x[0:1].sum());
            }
        }
        None
    }
    assert_eq!(early(&array![1]), None);
    assert_eq!(early(&array![7, 2]), Some(7));
    assert_eq!(early(&array![7, 1]), None);
}

#[test]
fn arguments_of_other_macros_may_contain_slices() {
    let x = array![1, 2, 3];
    let options = [Some(1), None];
    py! {
        assert!(matches!(options[1], Some(1) | None));
        assert_eq!(format!("{} {y}", x[1:], y = x[::-1] + 1), "[2, 3] [4, 3, 2]");
        assert_eq!(vec![x[1:]; 2][1], array![2, 3]);
        assert_eq!(vec![x[:1], x[1:2]].len(), 2);
        assert!(matches!(x.len(), 1..=3), "{}", x[1:]);
        assert_eq!(py!(x[1:] + py!(x[:-1])), array![3, 5]);
        assert_eq!(slice_core::s![1:, newaxis].begin(), &[1, 0]);
    }
}

#[test]
fn patterns_types_and_attributes_are_unchanged() {
    py! {
        #[derive(Debug, Clone, PartialEq)]
        struct Point<'a> { of: &'a [i32], to: [u8; 2] }
        let point = Point { of: &[1, 2, 3], to: [4, 5] };
        let [first, .., last] = point.of else { unreachable!() };
        let [a, b] = point.to;
        let [c, _, _] = <&[i32; 3]>::try_from(point.of).unwrap();
        assert_eq!((*first, *last, a, b, *c), (1, 3, 4, 5, 1));
        fn inner(x: &Array2<i32>) -> i32 { x[0, 1:].sum() }
        assert_eq!(inner(&array![[1, 2, 3]]), 5);
    }
}

#[test]
fn patterns_bind_rows_and_check_the_number_of_rows() {
    let x = array![[1, 2], [3, 4], [5, 6]];
    py! {
        let [a, _, b] = x[::-1];
        assert_eq!((a, b), (array![5, 6].view(), array![1, 2].view()));
        let rows: Vec<i32> = x[1:].outer_iter().map(|row| row.sum()).collect();
        assert_eq!(rows, [7, 11]);
    }
    let panic = std::panic::catch_unwind(|| py! { let [_, _] = x[...]; });
    let message = panic.unwrap_err().downcast::<String>().unwrap();
    assert_eq!(*message, "too many values to unpack (expected 2, got 3)");
}

#[test]
fn py_can_be_called_through_slice_macro() {
    let mut x = array![1, 2, 4];
    assert_eq!(slice_macro::py!(x[1:] - x[:-1]), array![1, 2]);
    slice_macro::py! { x[1:] = x[:-1]; }
    assert_eq!(x, array![1, 1, 2]);
}

#[test]
fn empty_input_is_accepted() {
    py! {}
    py!();
}

#[test]
#[expect(
    clippy::deref_addrof,
    clippy::single_match,
    reason = "the test needs expressions that begin with an operator after a block"
)]
fn blocks_end_statements() {
    let mut n = 0;
    assert_eq!(py! { for i in 0..3 { n += i; } -3 }, -3);
    assert_eq!(py! { if n > 9 { n = 0; } (1 + n) * 2 }, 8);
    assert_eq!(py! { while n > 2 { n -= 1; } *&n }, 2);
    assert_eq!(
        py! { if n > 9 { n = 0; } else if n > 8 { n = 1; } -n * 2 },
        -4
    );
    assert_eq!(py!(if n > 1 { 1 } else { 2 } + 3), 4);
    assert_eq!(py! { match n { 9 => n = 1, _ => {} } (n + 1) * 2 }, 6);
    assert_eq!(py! { { n += 1; } -n }, -3);
    assert_eq!(py! { if n > 9 { n = 0; } else { n = 4; } *&n }, 4);
    let x = ndarray::array![1_i32, 2, 3];
    assert_eq!(py! { match n { 9 => x[1], _ => x[2] }.pow(2) }, 9);
}

/// Checks that `py!` uses the functions, methods and variables of the caller, even if they share a name with a Python
/// or NumPy function, method or module, such as `len` or `np`.
mod names_shared_with_python {
    use std::convert::identity as len;

    use slice_core::py;

    struct Table;

    impl Table {
        fn sum(&self, axis: u8) -> u8 {
            axis + 1
        }
    }

    fn abs(x: i32) -> i32 {
        x - 1
    }

    #[test]
    fn names_of_the_caller_take_precedence_over_python_names() {
        let (table, np) = (Table, 4.0_f64);
        assert_eq!(py!(table.sum(0)), 1);
        assert_eq!(py!(abs(3)), 2);
        assert_eq!(py!(len(5)), 5);
        assert_eq!(py!(np.sqrt()), 2.0);
    }
}
