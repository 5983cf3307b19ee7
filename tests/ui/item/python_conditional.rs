use slice_core::s;

fn main() {
    let n = 1;
    let _ = s![0 if n > 1 else 1, 0];
}
