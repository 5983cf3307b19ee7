use slice_core::s;

fn main() {
    let p = &1_usize;
    let _ = s![-p:];
}
