use slice_core::s;

fn head<T: Into<i64>>(n: T) {
    let _ = s![:n];
}

fn main() {}
