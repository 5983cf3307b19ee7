use slice_core::s;

fn main() {
    let n = 1;
    let _ = s![&n, 0];
}
