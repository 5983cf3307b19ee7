use slice_core::s;

fn main() {
    let _ = s![[9223372036854775808], 0];
}
