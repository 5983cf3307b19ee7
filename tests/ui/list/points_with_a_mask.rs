use slice_core::s;

fn main() {
    let (rows, mask) = (vec![0, 1], vec![true, false]);
    let _ = s![zip(&rows, &mask)];
    let _ = s![zip(&rows, [true, false])];
}
