use std::collections::VecDeque;

use slice_core::py;

fn main() {
    let mut v = VecDeque::from([1.0, 2.0]);
    py!(v[1:] = 0.0);
}
