use ndarray::Array1;
use slice_core::s;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at(s![1:]);
}
