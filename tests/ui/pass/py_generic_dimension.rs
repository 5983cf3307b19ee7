//! Checks that `py!` can be used in functions that are generic over the dimension and over the storage of the elements.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// The compared floats are exact.
#![allow(clippy::float_cmp)]

use ndarray::{Array, ArrayBase, Data, DataMut, Dimension, array};
use slice_core::py;

fn halved<S: Data<Elem = f64>, D: Dimension>(x: &ArrayBase<S, D>) -> Array<f64, D> {
    py!(x[...] * 0.5)
}

fn clear<S: DataMut<Elem = f64>, D: Dimension>(x: &mut ArrayBase<S, D>) {
    py!(x[...] = 0.0);
}

pub fn main() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(halved(&x)[[1, 1]], 2.0);
    assert_eq!(halved(&x.view().into_dyn()).ndim(), 2);
    let mut y = x.clone();
    clear(&mut y);
    assert_eq!(y.sum(), 0.0);
}
