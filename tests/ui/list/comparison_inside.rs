use slice_core::s;

fn main() {
    let _ = s![[a > 3.0], 0];
}
