use ndarray::Array1;
use slice_core::StridedSliceExt;

fn main() {
    let a = Array1::<f32>::zeros(3);
    let _ = a.at("1:");
}
