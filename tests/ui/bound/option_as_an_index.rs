use slice_core::s;

fn main() {
    let _ = s![Some(1), 0];
}
