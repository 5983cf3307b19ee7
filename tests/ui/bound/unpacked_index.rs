use slice_core::s;

fn main() {
    let ix = (1, 2);
    let _ = s![*ix];
}
