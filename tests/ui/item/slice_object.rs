use slice_core::s;

fn main() {
    let _ = s![slice(1, 2), 0];
}
