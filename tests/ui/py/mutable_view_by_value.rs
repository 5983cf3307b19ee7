//! The compiler must suggest `.into()`, which converts a reference to a mutable slice to a view that can be passed by
//! value.

use ndarray::{ArrayViewMut1, array};
use slice_core::py;

fn clear(mut v: ArrayViewMut1<'_, f64>) {
    v.fill(0.0);
}

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    py! { clear(&mut x[1:]); }
}
