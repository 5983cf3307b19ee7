use slice_core::s;

fn main() {
    let a = true;
    let _ = s![not a];
}
