use slice_core::s;

fn main() {
    let k = 1;
    let _ = s![k:=1, 0];
}
