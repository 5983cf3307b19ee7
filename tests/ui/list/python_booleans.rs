use slice_core::s;

fn main() {
    let _ = s![[True, False, True], 0];
}
