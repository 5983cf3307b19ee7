use slice_core::s;

fn main() {
    let _ = s![newaxs, 0];
}
