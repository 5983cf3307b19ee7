use slice_core::s;

fn main() {
    let row = 0.5;
    let _ = s![[0, row], 0];
}
