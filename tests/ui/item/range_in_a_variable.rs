use slice_core::s;

fn main() {
    let r = 0..3;
    let _ = s![r];
}
