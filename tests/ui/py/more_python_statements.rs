//! The compiler must report all of these statements, operators and incomplete expressions in one compilation. Most of
//! the statements and operators come from Python. None of them is valid in `py!`.

use ndarray::array;
use slice_core::py;

fn main() {
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    py! { with open("a") as f: x[0, 0] = 1.0; }
    py! { try: x[0, 0] = 1.0 }
    py! { if x[0, 0] > 0.0 { raise ValueError("x"); } }
    py! { yield x[1:]; }
    py! { """a comment"""; let y = x[1:]; }
    let _ = py!({"a": x[1:], "b": x[:1]});
    py! { let x[1:] = 0.0; }
    let _ = py!(x[1:] x[:-1]);
    let _ = py!(2.0 x[1:]);
    let _ = py!(x[1:] +);
    let _ = py!(x[... None]);
    py! { n, m = x.shape; let y = x[1:]; }
    py! { let t = not (x[:] > 0.0); }
    py! { x[x > 0.0 || x < -1.0] = 0.0; }
    py! { x[x > 0.0 && x < 1.0] += 1.0; }
    py! { if (total := x[1:].sum()) > 3.0 { x[0, 0] = total; } }
}
