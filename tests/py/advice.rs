//! Checks that the code suggested in the messages of `py!` and of the compiler compiles, and computes the expected
//! values.

use ndarray::{Array1, ArrayView2, ArrayViewMut1, Axis, array};
use slice_core::py;

#[test]
fn advice_on_numpy_functions_compiles() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    let mut v: Array1<f64> = array![3.25, 2.0, -1.0];
    let w = array![1.0, 0.0, 5.0];

    let transposed = py!(x[1:].reversed_axes());
    assert_eq!(transposed, array![[3.0], [4.0]]);
    let transposed = py!(x[1:].permuted_axes([1, 0]));
    assert_eq!(transposed, array![[3.0], [4.0]]);
    let rounded = py!(v[:].mapv(|value| (value * 1e1).round() / 1e1));
    assert_eq!(rounded, array![3.3, 2.0, -1.0]);
    let larger =
        py!(ndarray::Zip::from(&v[:]).and(&w[:]).map_collect(|&a, &b| if a > b { a } else { b }));
    assert_eq!(larger, array![3.25, 2.0, 5.0]);
    let chosen = py!(v[1:].mapv(|value| if value > 0.5 { value } else { 0.0 }));
    assert_eq!(chosen, array![2.0, 0.0]);
    let chosen = py!(ndarray::Zip::from(&v[1:]).and(&w[1:]).map_collect(|&value, &a| if value >= a { a } else { -1.0 }));
    assert_eq!(chosen, array![0.0, -1.0]);
    let sums = py!({ let mut sums = v[1:].to_owned(); sums.accumulate_axis_inplace(Axis(0), |before, sum| *sum += before); sums });
    assert_eq!(sums, array![2.0, 1.0]);
    py! { (&mut v[:]).as_slice_mut().unwrap().sort_by(f64::total_cmp); }
    assert_eq!(v, array![-1.0, 2.0, 3.25]);
    let mut n = array![3, 1, 2];
    py! { (&mut n[:]).as_slice_mut().unwrap().sort(); }
    assert_eq!(n, array![1, 2, 3]);
    let (rows, columns) = py!(x.dim());
    assert_eq!((rows, columns), (2, 2));
}

#[test]
fn advice_on_python_functions_compiles() {
    fn sum(x: ArrayView2<'_, f64>, axis: usize) -> Array1<f64> {
        x.sum_axis(Axis(axis))
    }
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(py!(sum(x[1:], 0)), array![3.0, 4.0]);
    assert_eq!(py!(x[[0, -1], ...]), x);
    assert_eq!(py!(x[0, -1]), 2.0);
    assert_eq!(py!(!(x[:] > 1.5)), array![[true, false], [false, false]]);
    py! { x[(x > 3.5) | (x < 1.5)] = 0.0; }
    assert_eq!(x, array![[0.0, 2.0], [3.0, 0.0]]);
    let text = Some(array![1, 2]);
    assert_eq!(py!(text.as_ref().unwrap()[1:]), array![2]);
}

#[test]
fn the_conversion_suggested_by_the_compiler_for_a_mutable_slice_compiles() {
    fn clear(mut v: ArrayViewMut1<'_, f64>) {
        v.fill(0.0);
    }
    let mut x = array![1.0, 2.0, 3.0];
    py! {
        clear(&mut x[1:].into());
        clear((&mut x[:1]).into());
    }
    assert_eq!(x, array![0.0, 0.0, 0.0]);
}
