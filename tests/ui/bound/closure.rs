use slice_core::s;

fn main() {
    let _ = s![|n: i32| n + 1, 0];
}
