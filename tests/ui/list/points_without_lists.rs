use slice_core::s;

fn main() {
    let _ = s![zip(), 1:];
}
