use slice_core::s;

fn main() {
    let _ = s![1:; 0];
}
