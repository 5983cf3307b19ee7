use slice_core::{SliceSpec, named, s};

named! {
    const FLIP: SliceSpec<1, ()> = s![::-1];
}

fn main() {}
