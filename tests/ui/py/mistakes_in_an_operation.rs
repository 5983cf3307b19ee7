//! The compiler must report each mistake once, and no further errors for the results.

use ndarray::array;
use slice_core::py;

fn main() {
    let (mut x, k) = (array![[1.0, 2.0], [3.0, 4.0]], 2.0);
    println!("{}", py!(2.0 * x[1:].T).sum());
    println!("{}", py!(1.0 - (2.0 + np.exp(x))).len());
    println!("{}", py!(1.0 + #[allow(unused)] x[1:] * k).sum());
    py! {
        x[0] = x[1] = k;
        (x[:1], x[1:]) = (k, k);
    }
}
