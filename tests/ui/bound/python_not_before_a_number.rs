use slice_core::s;

fn main() {
    let n = 2;
    let _ = s![not n];
    let _ = s![1:not n + 1];
}
