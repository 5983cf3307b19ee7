use slice_core::s;

fn main() {
    let n = 3_usize;
    let _ = s![n ** 2:];
}
