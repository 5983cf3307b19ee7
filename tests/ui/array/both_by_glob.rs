use ndarray::prelude::*;
use slice_core::*;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at(s![1:]);
}
