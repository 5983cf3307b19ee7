//! The compiler must report operands whose type differs from the element type of the slice, and operators in generic
//! functions that lack the necessary trait bounds.

use ndarray::{Array1, ArrayBase, Data, Ix1};
use slice_core::py;

fn main() {
    let (x, y) = (Array1::<f64>::zeros(4), Array1::<f32>::zeros(4));
    let (n, k) = (Array1::<i32>::zeros(4), 2.0_f64);
    let _ = py!(x[1:] + 1);
    let _ = py!(x[1:] % 2);
    let _ = py!(3 - x[1:]);
    let _ = py!(n[1:] * 0.5);
    let _ = py!(y[1:] * k);
    let _ = py!(x[1:] * Some(2.0));
    let _ = py!(x[1:] * (1.0, 2.0));
}

fn sum<T: Clone>(x: &Array1<T>) -> Array1<T> {
    py!(x[1:] + x[:-1])
}

fn scaled<T: ndarray::LinalgScalar>(k: T, x: &Array1<T>) -> Array1<T> {
    py!(k * x[1:])
}

fn rest<X>(x: X) {
    py!(x[1:]);
}

// These functions contain the corrections suggested by the messages, and must compile.
fn sum_of_numbers<T: Copy + std::ops::Add<Output = T>>(x: &Array1<T>) -> Array1<T> {
    py!(x[1:] + x[:-1])
}

fn scaled_numbers<T>(k: T, x: &Array1<T>) -> Array1<T>
where
    T: Copy + std::ops::Mul<Output = T> + ndarray::ScalarOperand,
{
    py!(x[1:] * k)
}

fn rest_of_an_array<S: Data<Elem = f64>>(x: &ArrayBase<S, Ix1>) -> f64 {
    py!(x[1:].sum())
}
