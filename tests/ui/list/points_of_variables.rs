use slice_core::s;

fn main() {
    let (rows, columns) = (vec![0, 1], vec![1, 0]);
    let _ = s![zip(rows, columns), 0];
}
