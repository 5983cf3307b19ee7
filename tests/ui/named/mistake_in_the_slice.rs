use slice_core::{named, s};

named! {
    const FLIP = s![..., ::0, ...];
}

fn main() {
    let _: [usize; 3] = FLIP.output_shape([1, 2, 3]);
}
