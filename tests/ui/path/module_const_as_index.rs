use slice_core::s;

mod config {
    pub const N: usize = 1;
}

fn main() {
    let _ = s![config::N];
}
