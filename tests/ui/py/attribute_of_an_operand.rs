//! The compiler must report every attribute of an operand, and every attribute of a value that is assigned to a slice.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![1.0, 2.0, 3.0];
    let k = 2.0;
    py! {
        let y = 1.0 + #[allow(unused)] x[1:];
        let z = y * #[allow(unused)] (k + x[:1]);
        let b = #[allow(unused)] x[1:] > 0.0;
        x[1:] = #[cfg(any())] k;
        #[allow(unused)] x[1:] * 2.0;
    }
}
