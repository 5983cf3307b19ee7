//! The compiler must report every attribute of an assignment to a slice.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    py! {
        #[cfg(any())]
        x[0:] = 9.0;
        #[expect(unused_mut)]
        x[1:] = { let mut k = 2.0; k };
        #[allow(clippy::all)]
        x[1:] += 1.0;
    }
}
