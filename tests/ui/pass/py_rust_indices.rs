//! Checks that `py!` accepts Rust's own indices, and distinguishes them from slices.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

struct Self_;

impl Self_ {
    const N: usize = 1;
}

mod limits {
    pub const LAST: usize = 2;
}

pub fn main() {
    let (v, names) = (vec![1, 2, 3], std::collections::BTreeMap::from([("a", 1)]));
    let a = array![[1, 2], [3, 4]];
    let i = 1;
    py! {
        assert_eq!((v[i], &v[1..], names["a"], a[(i, 0)], a[(0, i)]), (2, &[2, 3][..], 1, 3, 2));
        let last = v[(limits::LAST)];
        assert_eq!(v[Self_::N] + v[usize::MIN] + last, 6);
        assert_eq!(v[i::2].len() + v[::-1].len(), 4);
    }
}
