//! The compiler must report all of these functions, methods and arguments in one compilation. They come from NumPy, PyTorch
//! and Python, and are not valid in `py!`.

use ndarray::{ArrayView2, array};
use slice_core::py;

pub fn scaled(_: ArrayView2<f64>, _: usize) {}

fn main() {
    let x = array![[1.0, 2.0], [3.0, 4.0]];
    let (v, w) = (array![3.2, 2.0], array![1.0, 0.0]);
    py!(scaled(x[1:], axis=0));
    let _ = py!(x[[0, -1]]);
    let _ = py!(round(v[1:], 1));
    let _ = py!(np.maximum(v[1:], v[:-1]));
    let _ = py!(np.where(v[1:] > 0.5, v[1:], 0.0));
    let _ = py!(np.where(v[1:] >= w[1:], w[1:], -1.0));
    let _ = py!(np.where(v[1:] > 0.5));
    let _ = py!(v[1:].cumsum());
    py! { v[:].sort(); }
    let _ = py!(x[1:].transpose(1, 0));
    py! { v[:].scatter_add(&[0, 0], &w) };
    let _ = py!((v > 1.0).mean());
    let _ = py!((v > 1.0).std());
    let _ = py!(x[1:].nonzero());
    let _ = py!(np.nonzero(v > 1.0));
    let _ = py!(x[:].take([0, 1]));
    let _ = py!(x[np.ix_([0, 1], [1, 0])]);
    let _ = py!(x[:].to_shape((4, -1)));
    let _ = py!(np.sqrt(2));
    let _ = py!(np.trace(x[:]));
    let _ = py!(x.mean(axis=1, keepdims=true));
}
