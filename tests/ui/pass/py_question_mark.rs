//! `?` and `return` leave the function.
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

pub fn main() {
    assert_eq!(ratio(&array![2.0, 4.0], Some(1)), Ok(2.0));
    assert_eq!(ratio(&array![2.0, 4.0], None), Err("no position"));
}
