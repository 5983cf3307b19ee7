use slice_core::s;

fn main() {
    let row = Some(1);
    let _ = s![[0, row], 0];
}
