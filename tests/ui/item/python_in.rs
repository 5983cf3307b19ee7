use slice_core::s;

fn main() {
    let idx = [0, 2];
    let _ = s![i in idx];
    let _ = s![i in 0..3, 1:];
}
