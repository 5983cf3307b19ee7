use slice_core::s;

const N: i64 = 2;

fn main() {
    let _ = s![N::N];
}
