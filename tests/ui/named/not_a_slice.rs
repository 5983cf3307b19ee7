use slice_core::{named, s};

named! {
    const SIZE = 3;
    let flip = s![::-1];
}

fn main() {}
