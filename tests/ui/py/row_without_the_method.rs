use ndarray::Array2;
use slice_core::py;

fn predictions(logits: &Array2<f64>) -> Vec<usize> {
    py!((0..logits.nrows()).map(|i| logits[i].argmax()).collect())
}

fn main() {
    predictions(&Array2::eye(2));
}
