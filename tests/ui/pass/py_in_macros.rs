//! Checks that other macros can expand to `py!`, and that macro calls in `py!` can have slices in their arguments.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

macro_rules! tail {
    ($x:ident) => {
        py!($x[1:].sum())
    };
}

macro_rules! scaled {
    ($x:expr, $from:expr, $by:expr) => {
        py!($x[$from:] * $by)
    };
}

pub fn main() {
    let x = array![1, 2, 3];
    assert_eq!(tail!(x), 5);
    assert_eq!(scaled!(x, 1, 10), array![20, 30]);
    py! {
        assert_eq!(vec![x[1:]; 2].len(), 2, "{}", x[:1]);
        assert!(format!("{0} {tail}", x[:2], tail = x[2:]).starts_with("[1, 2]"));
    }
}
