//! Defines the functions that the generated tests in `numpy_statements` and `numpy_lists` call. Except for `check`,
//! `tests/oracle/py_statements.py` defines the same functions with NumPy. `f`, `n` and `b` create arrays of floats,
//! integers and booleans; `z` and `i` create arrays of zeros of type `f64` and `i64`.

use std::fmt::Debug;

use ndarray::{
    Array, Array1, Array2, ArrayView, ArrayView2, Axis, Dimension, IntoDimension, LinalgScalar,
};

/// Returns an array whose `k`-th element in C order, counting from 0, is `element(37 * k % 101)`.
fn filled<A, I: IntoDimension>(shape: I, element: impl Fn(usize) -> A) -> Array<A, I::Dim> {
    let shape = shape.into_dimension();
    let elements = (0..shape.size()).map(|k| element(37 * k % 101)).collect();
    Array::from_shape_vec(shape, elements).unwrap()
}

pub fn f<I: IntoDimension>(shape: I) -> Array<f64, I::Dim> {
    filled(shape, |k| k as f64 / 8.0 - 5.0)
}

pub fn n<I: IntoDimension>(shape: I) -> Array<i64, I::Dim> {
    filled(shape, |k| k as i64)
}

pub fn b<I: IntoDimension>(shape: I) -> Array<bool, I::Dim> {
    filled(shape, |k| k % 3 == 0)
}

pub fn z<I: IntoDimension>(shape: I) -> Array<f64, I::Dim> {
    filled(shape, |_| 0.0)
}

pub fn i<I: IntoDimension>(shape: I) -> Array<i64, I::Dim> {
    filled(shape, |_| 0)
}

/// Returns an array of positions on an axis of length 3.
pub fn p<I: IntoDimension>(shape: I) -> Array<i64, I::Dim> {
    let mut next = -2;
    let positions = filled(shape, |_| 0);
    positions.mapv(|_: i64| {
        next += 2;
        next % 3
    })
}

pub fn exp<D: Dimension>(x: ArrayView<'_, f64, D>) -> Array<f64, D> {
    x.mapv(f64::exp)
}

pub fn sqrt<D: Dimension>(x: ArrayView<'_, f64, D>) -> Array<f64, D> {
    x.mapv(f64::sqrt)
}

pub fn relu<D: Dimension>(x: ArrayView<'_, f64, D>) -> Array<f64, D> {
    x.mapv(|x| x.max(0.0))
}

pub fn nonzero<A: Default + PartialEq, D: Dimension>(x: ArrayView<'_, A, D>) -> Array<i64, D> {
    x.map(|x| i64::from(*x != A::default()))
}

pub fn game_of_life_step(n: ArrayView2<'_, i64>, here: ArrayView2<'_, i64>) -> Array2<i64> {
    let mut next = n.to_owned();
    next.zip_mut_with(&here, |n, &here| {
        *n = i64::from(*n == 3 || *n == 2 && here == 1)
    });
    next
}

pub fn sum0(x: ArrayView2<'_, f64>) -> Array1<f64> {
    x.sum_axis(Axis(0))
}

pub fn sum1(x: ArrayView2<'_, f64>) -> Array1<f64> {
    x.sum_axis(Axis(1))
}

pub fn max1(x: ArrayView2<'_, f64>) -> Array1<f64> {
    x.map_axis(Axis(1), |row| row.fold(f64::NEG_INFINITY, |a, &b| a.max(b)))
}

pub fn total<D: Dimension>(x: Array<f64, D>) -> f64 {
    x.sum()
}

pub fn dot<A: LinalgScalar>(x: ArrayView2<'_, A>, y: ArrayView2<'_, A>) -> Array2<A> {
    x.dot(&y)
}

pub fn transposed<A>(x: ArrayView2<'_, A>) -> ArrayView2<'_, A> {
    x.reversed_axes()
}

/// An element type whose values can be compared with NumPy's values. Floats may differ by a rounding error, because
/// implementations of `exp` differ.
pub trait Agree: Debug {
    fn agrees(&self, other: &Self) -> bool;
}

impl Agree for f64 {
    fn agrees(&self, other: &f64) -> bool {
        (self - other).abs() <= 1e-15 * other.abs()
    }
}

impl Agree for i64 {
    fn agrees(&self, other: &i64) -> bool {
        self == other
    }
}

impl Agree for bool {
    fn agrees(&self, other: &bool) -> bool {
        self == other
    }
}

/// Checks that an array has the shape and the elements of NumPy's result.
#[track_caller]
pub fn check<A: Agree, D: Dimension>(ours: &Array<A, D>, shape: &[usize], elements: &[A]) {
    assert_eq!(ours.shape(), shape);
    for (at, (ours, numpy)) in ours.iter().zip(elements).enumerate() {
        assert!(
            ours.agrees(numpy),
            "element {at} is {ours:?}, but NumPy's is {numpy:?}"
        );
    }
}

/// Declares a test for each row: its name, its inputs, an expression in parentheses or statements in braces, the variable that is
/// compared, and the shape and the elements of NumPy's result.
macro_rules! tests {
    ($($name:ident $inputs:tt $code:tt $target:ident $shape:tt $elements:tt;)*) => { $(
        #[test]
        fn $name() {
            tests! { @$inputs $code $target $shape $elements }
        }
    )* };
    (@{$($inputs:tt)*} ($($code:tt)*) $target:ident $shape:tt $elements:tt) => {
        $($inputs)*
        let $target = slice_core::py!($($code)*);
        $crate::functions::check(&$target, &$shape, &$elements);
    };
    (@{$($inputs:tt)*} {$($code:tt)*} $target:ident $shape:tt $elements:tt) => {
        $($inputs)*
        slice_core::py! {
            $($code)*
            $crate::functions::check(&$target, &$shape, &$elements);
        }
    };
}

pub(crate) use tests;
