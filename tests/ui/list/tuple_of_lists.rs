use slice_core::s;

fn main() {
    let columns = [1, 2];
    let _ = s![([0, 1], [0, 2])];
    let _ = s![([0, 1], &columns)];
}
