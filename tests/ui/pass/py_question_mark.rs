//! Checks that `?` and `return` in `py!` return from the enclosing function.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, array};
use slice_core::py;

fn ratio(x: &Array1<f64>, at: Option<usize>) -> Result<f64, &'static str> {
    let ratios = py!(x[at.ok_or("no position")?:] / x[:-1]);
    py! {
        if ratios[..., 0][()] < 0.0 {
            return Err("below zero");
        }
        Ok(ratios[0])
    }
}

fn load(n: usize) -> Result<Array1<f64>, &'static str> {
    (n > 0).then(|| Array1::ones(n)).ok_or("no data")
}

fn tail_sum(n: usize) -> Result<f64, &'static str> {
    Ok(py!(load(n)?[1:].sum()))
}

pub fn main() {
    assert_eq!(tail_sum(3), Ok(2.0));
    assert_eq!(tail_sum(0), Err("no data"));
    assert_eq!(ratio(&array![2.0, 4.0], Some(1)), Ok(2.0));
    assert_eq!(ratio(&array![2.0, 4.0], None), Err("no position"));
}
