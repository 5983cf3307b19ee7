//! The compiler must report all of these statements and operators in one compilation. They come from Python and other
//! languages, and are not valid in Rust.

use ndarray::array;
use slice_core::py;

fn main() {
    let (mut x, c, n) = (array![1, 2, 3], true, 2);
    let _ = py! { if not c { 1 } else { 2 } };
    let _ = py! { if c { 1 } elif n > 1 { 2 } else { 3 } };
    let _ = py!(2 in x[1:]);
    py! { del x; }
    py! { import numpy; }
    py! { assert x[1] == 1; }
    py! { for i in 0..3: x[i] = 0; }
    py! { for i, v in x[1:].iter().enumerate() {} }
    let _ = py!([v * 2 for v in x[1:]]);
    let _ = py!(sum(x[i] * 2 for i in 1..3));
    let _ = py!(x[1 0] + 1);
    let _ = py!(x(1:) + 1);
    let _ = py!(x[1:] .* x[1:]);
    let _ = py!(~x[1:]);
    let _ = py!(2 * (+x[1:]));
    let _ = py!(x[1:] <> 2);
    let _ = py!(0 < x[1:] < 3);
    let _ = py!(x[1:] > 1 & x[1:] < 3);
    py! { return x[1:], n; }
    py! { del x[1:]; }
    py! { x[1:], x[:1] = x[:1], x[1:]; }
    py! { let a, b = x[:2]; }
    py! { x[1:] := 0; }
    let _ = py!(x[(1:2)]);
}

fn conditions() {
    let x = array![1, 2, 3];
    let _ = py! { if x[0] > 0 and x[1] > 0 { 1 } else { 2 } };
    let _ = py! { if x[0] > 3 { 1 } elif x[0] > 0 { 2 } else { 3 } };
}
