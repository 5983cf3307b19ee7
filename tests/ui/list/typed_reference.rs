use slice_core::s;

fn rows(list: &[usize]) {
    let _ = s![list, 1:];
}

fn main() {
    rows(&[0, 2]);
}
