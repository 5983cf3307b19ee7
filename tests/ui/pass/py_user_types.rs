//! Checks that user-defined types with operators can be operands, both as elements of arrays and on their own.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Metres(f64);

impl std::ops::Add for Metres {
    type Output = Metres;
    fn add(self, other: Metres) -> Metres {
        Metres(self.0 + other.0)
    }
}

pub fn main() {
    let (a, b) = (Metres(2.0), Metres(3.0));
    assert_eq!(py!(a + b), Metres(5.0));
    let lengths = array![Metres(1.0), Metres(2.5)];
    assert_eq!(py!(lengths[1:] + lengths[:-1]), array![Metres(3.5)]);
    let mut text = String::from("a");
    py! {
        text += "b";
        let text = text + "c";
        assert_eq!(text, "abc");
    }
}
