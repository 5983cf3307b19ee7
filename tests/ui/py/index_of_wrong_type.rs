use ndarray::{Array1, Array2, array};
use slice_core::py;

fn middle(x: &Array1<f64>, at: f64) -> f64 {
    py!(x[at / 2.0])
}

fn side(m: &Array2<f64>, is_right: bool) -> f64 {
    py!(m[0, is_right])
}

fn listed(x: &Array1<f64>, order: &[usize]) -> Vec<f64> {
    py!(order.iter().map(|i| x[i] * 2.0).collect())
}

fn main() {
    let (x, rows) = (array![[1, 2], [3, 4]], 0..2);
    println!("{}", py!(x[rows, 1]));
    let words = vec![vec![String::new()]];
    py! {
        let [word] = words[0];
    }
}
