use slice_core::s;

fn main() {
    let _ = s![null, 1:];
    let _ = s![1:null];
}
