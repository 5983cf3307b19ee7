//! Checks that user-defined types with operators can be operands, both as elements of arrays and on their own.
#![deny(warnings, clippy::pedantic)]
#![forbid(unsafe_code)]

use ndarray::array;
use slice_core::py;

#[derive(Clone, Copy, Debug, PartialEq)]
struct Meters(f64);

impl std::ops::Add for Meters {
    type Output = Meters;
    fn add(self, other: Meters) -> Meters {
        Meters(self.0 + other.0)
    }
}

pub fn main() {
    let (a, b) = (Meters(2.0), Meters(3.0));
    assert_eq!(py!(a + b), Meters(5.0));
    let lengths = array![Meters(1.0), Meters(2.5)];
    assert_eq!(py!(lengths[1:] + lengths[:-1]), array![Meters(3.5)]);
    let mut text = String::from("a");
    py! {
        text += "b";
        let text = text + "c";
        assert_eq!(text, "abc");
    }
}
