use slice_core::{named, s};

fn main() {
    let n = 2;
    named! { const IX = s![n:, :-n, 0]; }
    let _ = IX;
}
