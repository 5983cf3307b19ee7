use slice_core::s;

const K: i64 = 3;

fn main() {
    let _ = s![::K - 3];
}
