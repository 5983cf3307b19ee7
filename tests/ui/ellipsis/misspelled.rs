use slice_core::s;

fn main() {
    let _ = s![Elipsis, 0];
}
