use slice_core::{named, s};

named! {
    const CROP = s![1:-1];
    const FLIP = s![::-1]
}

fn main() {}
