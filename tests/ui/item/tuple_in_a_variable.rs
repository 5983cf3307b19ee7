use slice_core::s;

fn main() {
    let t = (0, 1);
    let _ = s![t];
}
