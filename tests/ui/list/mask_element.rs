use slice_core::s;

fn main() {
    let keep = true;
    let _ = s![[keep, false], 0];
}
