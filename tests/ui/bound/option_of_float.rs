use slice_core::s;

fn main() {
    let n = Some(1.5);
    let _ = s![n:];
}
