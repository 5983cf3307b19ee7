//! `s![]` from a crate with another name, under every lint and without a prelude.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]

use ::array::{Array1, Array3, ArrayView4};
use ::renamed::{SliceSpec, StridedSliceExt, kind, py, s};

/// Constants name the crate as its user does.
pub const REVERSED: SliceSpec<2, (kind::Ellipsis, (kind::Range, ()))> = s![..., ::-1];

::renamed::named! {
    /// Without its type.
    pub const FLIPPED = s![::-1, ...];
}

/// Literals, expressions and a stride with a name.
#[must_use]
pub fn corner<const STEP: i64>(a: &Array3<f32>, n: usize) -> ArrayView4<'_, f32> {
    a.at(s![n:, ..., newaxis, :-3:STEP])
}

/// Reads, writes, and takes apart, with no trait in scope that it could need.
pub fn smooth(x: &mut Array1<f64>, rate: f64) -> f64 {
    py! {
        x[1:-1] += rate * (x[:-2] - 2.0 * x[1:-1] + x[2:]);
        x[0, ...] = x[1, ...];
        x[1:] = x[:-1];
        let [first, _, last] = x[::x.len() / 2];
        let sum = first[()] + last[()];
        (&mut x[-1:]).fill(rate);
        sum
    }
}

#[test]
fn means_the_same() {
    let a = Array3::<f32>::zeros((4, 5, 6));
    ::std::assert_eq!(corner::<-1>(&a, 1).shape(), [3, 5, 1, 2]);
    ::std::assert_eq!(a.at(REVERSED).shape(), [4, 5, 6]);
    ::std::assert_eq!(a.at(FLIPPED).shape(), [4, 5, 6]);
    let mut x = Array1::from_vec(::std::vec![0.0, 8.0, 0.0, 0.0, 4.0]);
    let sum = smooth(&mut x, 0.25);
    ::std::assert_eq!(x.to_vec(), [4.0, 4.0, 4.0, 2.0, 0.25]);
    ::std::assert_eq!(sum.to_bits(), 5.0_f64.to_bits());
}
