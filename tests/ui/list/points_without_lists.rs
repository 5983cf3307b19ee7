use slice_core::s;

fn main() {
    let _ = s![zip(), 1:];
    let _ = s![zip([0, 1], 0:2)];
}
