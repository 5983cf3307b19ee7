//! Contains pairs of equivalent functions: `name` uses `py!`, and `name_by_methods` uses method calls. The tests
//! compare the assembly of the functions in each pair.

use ndarray::{Array1, Array2};
use slice_core::{StridedSliceExt, py, s};

/// Python equivalent: `u[1:-1] += a[:-2] + a[2:]`.
#[inline(never)]
pub fn neighbors(u: &mut Array1<f64>, a: &Array1<f64>) {
    py!(u[1:-1] += a[:-2] + a[2:]);
}

/// Does the same as [`neighbors`], with method calls.
#[inline(never)]
pub fn neighbors_by_methods(u: &mut Array1<f64>, a: &Array1<f64>) {
    let sum = &a.at(s![:-2]) + &a.at(s![2:]);
    let mut inside = u.at_mut(s![1:-1]);
    inside += &sum;
}

/// Python equivalent: `d = k * (x[1:, :] - x[:-1, :])`.
#[inline(never)]
pub fn differences(x: &Array2<f64>, k: f64) -> Array2<f64> {
    py!(k * (x[1:, :] - x[:-1, :]))
}

/// Does the same as [`differences`], with method calls.
#[inline(never)]
pub fn differences_by_methods(x: &Array2<f64>, k: f64) -> Array2<f64> {
    k * (&x.at(s![1:, :]) - &x.at(s![:-1, :]))
}

/// Python equivalent: `x[1:] - x[:-1]`.
#[inline(never)]
pub fn steps(x: &Array1<f64>) -> Array1<f64> {
    py!(x[1:] - x[:-1])
}

/// Does the same as [`steps`], with method calls.
#[inline(never)]
pub fn steps_by_methods(x: &Array1<f64>) -> Array1<f64> {
    &x.at(s![1:]) - &x.at(s![:-1])
}

/// Python equivalent: `sum(x[i, j] * x[i, j] for i in range(n) for j in range(n))`.
#[inline(never)]
pub fn squares(x: &Array2<f64>, n: usize) -> f64 {
    let mut sum = 0.0;
    py! { for i in 0..n { for j in 0..n { sum += x[i, j] * x[i, j]; } } }
    sum
}

/// Does the same as [`squares`], with method calls.
#[inline(never)]
pub fn squares_by_methods(x: &Array2<f64>, n: usize) -> f64 {
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..n {
            sum += x.item(s![i, j]) * x.item(s![i, j]);
        }
    }
    sum
}

/// Python equivalent: `x[0] + x[-1]`.
#[inline(never)]
pub fn ends(x: &Array1<f64>) -> f64 {
    py!(x[0] + x[-1])
}

/// Does the same as [`ends`], with method calls.
#[inline(never)]
pub fn ends_by_methods(x: &Array1<f64>) -> f64 {
    x.item(s![0]) + x.item(s![-1])
}
