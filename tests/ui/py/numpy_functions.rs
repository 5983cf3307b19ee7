//! The compiler must report all of these functions, methods, attributes and operators in one compilation. Most of them
//! come from NumPy or Python. None of them is valid in `py!`.

use ndarray::{Array2, array};
use slice_core::py;

fn main() {
    let (x, m): (_, Array2<f64>) = (array![1.0, 2.0, 3.0], array![[1.0, 2.0], [3.0, 4.0]]);
    let (n, k) = (2, 3_i32);
    let _ = py!(x[1:].sum(0));
    let _ = py!(m[:, 1:].sum(axis=0));
    let _ = py!(m.mean(1) + x[1:]);
    let _ = py!(np.exp(x[1:]));
    let _ = py!(np.sum(m[1:], axis=0));
    let _ = py!(np::sqrt(x[1:] + 1.0));
    let _ = py!(np.log(x[1:]) + np.zeros(2));
    let _ = py!(abs(x[1] - x[0]) + len(x[1:]));
    let _ = py!(max(x[1:]));
    let _ = py!(int(n) + float(x[0]));
    py! { for i in range(3) {} }
    py! { print(x[1:]); }
    let _ = py!(k ** 2);
    let _ = py!(x[x > 1.0]);
    let _ = py!((x[1:] > 1.0) && (x[1:] < 3.0));
    let _ = py!((x[1:] > 1.0).all());
    let _ = py!((x[1:] > 1.0).sum());
    let _ = py!(x[1:] ^ 2.0);
    let _ = py!(2.0 * x[1:] ^ 2.0);
    let _ = py!(x[1:].reshape(2, -1));
    let _ = py!(m[1:].T);
    let _ = py!(x[1:].size);
    let _ = py!(m[1:].shape[0]);
    let _ = py!(x[1:].copy());
    let _ = py!(x[1:].astype(i32));
}

fn methods_and_operators() {
    let x = array![1.0, 2.0, 3.0];
    let _ = py!(x[1:].max() - x[1:].min());
    let _ = py!(x[1:].argmax());
    let _ = py!(x[1:].round(2));
    let _ = py!(x[1:].clip(0.0, 1.0));
    let _ = py!(x[1:].reshape(2, 1));
    let _ = py!(x[1:].std());
    let _ = py!(np.where(x[1:] > 1.0, 1.0, 0.0));
    let _ = py!(np.concatenate([x[1:], x[:1]]));
    let _ = py!(np.linspace(0, 1, 5)[1:] + np.arange(5)[1:]);
    let _ = py!(np.maximum(x[1:], 0.0) * np.pi);
    let _ = py!(math.sqrt(x[0]));
    let _ = py!(2 ** x[1:]);
    let _ = py!(x[0] ** 2.0);
    let _ = py!(max(x[0], x[1]));
    let _ = py!(list(x[1:]));
    py! { if x[1:] > 1.0 {} }
    let _ = py!(np.sum(x == 1.0) + (x == 2.0).sum());
    let _ = py!((x > 1.0).any());
    let _ = py!(x[1:].roll(1));
}
