use slice_core::s;

const K: usize = 0;

fn main() {
    let _ = s![::-K];
}
