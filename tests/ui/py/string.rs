use slice_core::py;

fn main() {
    let text = "stressed";
    let _ = py!(text[::-1]);
}
