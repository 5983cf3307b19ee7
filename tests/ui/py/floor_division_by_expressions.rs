//! The compiler must report each floor division by a variable or an expression, and Python's `//=`, but not the last
//! two comments, which are not divisors.

use ndarray::array;
use slice_core::py;

fn main() {
    let (mut v, n) = (array![1, 2, 3], 3);
    let _ = py!(v[1:] // n
    );
    let _ = py!(v[-1] + v[0] // n - 1
    );
    let _ = py!(v[1:] // (n + 1)
    );
    let _ = py!(v[:n // v.len()
    ]);
    py! {
        v[1:] //= 2;
    };
    py! {
        v[:2] //= n + 1;
        v[0] = 1;
    };
    let _ = py!(v[1:] // tail
        .sum());
    let _ = py!(v[1:] // x-axis
        .sum());
}
