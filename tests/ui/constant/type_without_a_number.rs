use slice_core::{SliceSpec, s};

const TAIL: SliceSpec = s![1:];
const KINDS: SliceSpec<1> = s![1:];

struct Config {
    part: SliceSpec,
}

fn interior(k: usize) -> SliceSpec {
    s![k:-k, k:-k]
}

fn main() {
    let _ = Config { part: s![1:, 0].erase() };
}
