use slice_core::s;

fn main() {
    let (a, b) = (true, false);
    let _ = s![a and b, 0];
}
