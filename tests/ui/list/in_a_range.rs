use slice_core::s;

fn main() {
    let rows = [0, 1];
    let _ = s![&rows:];
}
