//! `s![]` from a crate with another name, under every lint and without a prelude.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]

use ::array::{Array3, ArrayView4};
use ::renamed::{SliceSpec, StridedSliceExt, kind, s};

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

#[test]
fn means_the_same() {
    let a = Array3::<f32>::zeros((4, 5, 6));
    ::std::assert_eq!(corner::<-1>(&a, 1).shape(), [3, 5, 1, 2]);
    ::std::assert_eq!(a.at(REVERSED).shape(), [4, 5, 6]);
    ::std::assert_eq!(a.at(FLIPPED).shape(), [4, 5, 6]);
}
