use slice_core::s;

fn main() {
    let n = 1.0;
    let _ = s![:int(n)];
}
