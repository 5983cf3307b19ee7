use slice_core::s;

fn main() {
    let rows = s![1:];
    let _ = s![rows, 0];
}
