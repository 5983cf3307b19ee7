//! Checks that a slice of a view can outlive the view and live as long as the array, and that a slice of a field can
//! live as long as the struct.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]
// The test needs views that are passed by value.
#![allow(clippy::needless_pass_by_value)]

use ndarray::{Array2, ArrayView1, ArrayView2, array};
use slice_core::py;

struct State {
    x: Array2<i32>,
}

impl State {
    fn column(&self) -> ArrayView1<'_, i32> {
        py!(self.x[:, 1])
    }
}

fn last(rows: ArrayView2<'_, i32>) -> ArrayView1<'_, i32> {
    py!(rows[-1, :])
}

pub fn main() {
    let x = array![[1, 2], [3, 4]];
    let row = {
        let view = x.view();
        last(view)
    };
    assert_eq!(row, array![3, 4]);
    let state = State { x };
    assert_eq!(state.column(), array![2, 4]);
}
