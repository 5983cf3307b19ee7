use slice_core::s;

fn main() {
    let x = 1.5;
    let _ = s![1: x + 1.0, ::Some(x)];
}
