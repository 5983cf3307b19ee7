use slice_core::s;

fn main() {
    let _ = s![slice(1, 2), 0];
    let _ = s![range(3)];
}
