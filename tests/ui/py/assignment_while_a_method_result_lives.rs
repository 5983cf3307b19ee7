//! The compiler must report that the method's result borrows `self.state`, to which the statement assigns.

use ndarray::{Array1, array};
use slice_core::py;

struct Model {
    state: Array1<f64>,
}

impl Model {
    fn state(&self) -> &Array1<f64> {
        &self.state
    }

    fn step(&mut self) {
        py!(self.state[1:] = self.state()[:-1]);
    }
}

fn main() {
    Model { state: array![1.0] }.step();
}
