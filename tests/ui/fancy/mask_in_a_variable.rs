use slice_core::s;

fn main() {
    let mask = [true, false];
    let _ = s![:, mask];
}
