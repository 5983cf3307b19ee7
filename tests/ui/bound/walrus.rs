use slice_core::s;

fn main() {
    let _ = s![(n := 2):];
}
