//! `s![]` through a third crate, which is the only dependency.
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]

#[test]
fn slices_without_knowing_the_core() {
    let n = 2_u8;
    let spec = slice_hygiene_reexport::s![n::(usize::MAX), ...];
    assert_eq!((spec.begin(), spec.strides()), (&[2, 0], &[i64::MAX, 1]));
    assert_eq!(
        slice_hygiene_reexport::columns!(-n.cast_signed()).begin(),
        &[0, -2]
    );
}
