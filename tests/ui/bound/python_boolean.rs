use slice_core::s;

fn main() {
    let _ = s![True, 1:];
    let _ = s![False];
    let _ = s![1:True];
}
