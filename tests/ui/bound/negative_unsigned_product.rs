use slice_core::s;

fn main() {
    let n = 3_usize;
    let _ = s![-n * 2:];
    let _ = s![:-n + 1];
    let _ = s![-2 * n:];
}
