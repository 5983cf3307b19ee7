//! Checks that an assignment to a slice of one field may read another field.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::{Array1, array};
use slice_core::py;

struct Model {
    now: Array1<f64>,
    before: Array1<f64>,
    rate: f64,
}

impl Model {
    fn step(&mut self) {
        py! {
            self.now[...] += self.before[:] * self.rate;
            self.before[:1] = self.now[1:];
        }
    }
}

pub fn main() {
    let mut model = Model {
        now: array![1.0, 2.0],
        before: array![3.0, 4.0],
        rate: 0.5,
    };
    model.step();
    assert_eq!(model.now, array![2.5, 4.0]);
}
