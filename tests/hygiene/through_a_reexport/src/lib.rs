//! Checks `s![]` and `py!` in a crate that does not use a prelude, and whose only dependency re-exports the macros.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]

#[test]
fn slices_work_without_a_dependency_on_slice_core() {
    let n = 2_u8;
    let spec = ::slice_hygiene_reexport::s![n::(usize::MAX), ...];
    ::std::assert_eq!((spec.begin(), spec.strides()), (&[2, 0], &[i64::MAX, 1]));
    ::std::assert_eq!(
        ::slice_hygiene_reexport::columns!(-n.cast_signed()).begin(),
        &[0, -2]
    );
}

#[test]
fn arithmetic_works_without_a_dependency_on_slice_core() {
    let mut x = ::std::vec![1, 2, 4];
    ::std::assert_eq!(::slice_hygiene_reexport::differences!(x).to_vec(), [1, 2]);
    x = ::slice_hygiene_reexport::py! {
        let mut sums = x[1:] + x[:-1];
        sums[0, ...] -= 1;
        sums[1:] = sums[:-1];
        sums.to_vec()
    };
    ::std::assert_eq!(x, [2, 2]);
}
