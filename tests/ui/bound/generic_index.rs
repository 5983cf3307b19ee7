use slice_core::s;

fn row<T: Copy>(n: T) {
    let _ = s![n, ...];
}

fn main() {}
