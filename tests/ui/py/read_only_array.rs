//! The compiler must report an assignment to a view and to an array with a storage that cannot be modified.

use ndarray::{ArrayBase, ArrayView1, Data, Ix1, array};
use slice_core::py;

fn clear(x: ArrayView1<'_, f64>) {
    py!(x[1:] = 0.0);
}

fn double<S: Data<Elem = f64>>(x: &mut ArrayBase<S, Ix1>) {
    py!(x[1:] *= 2.0);
}

fn main() {
    let mut x = array![1.0, 2.0];
    clear(x.view());
    double(&mut x);
}
