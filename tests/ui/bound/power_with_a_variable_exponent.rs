use slice_core::s;

fn main() {
    let n = 3_usize;
    let _ = s![2 ** n];
}
