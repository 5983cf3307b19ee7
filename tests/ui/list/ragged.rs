use slice_core::s;

fn main() {
    let _ = s![[[0, 1], [2]], [0, [1]], 0];
}
