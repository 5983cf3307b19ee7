//! Checks that a panic at run time shows which slice failed: the panic has the position of the slice's brackets.

use ndarray::{Array1, Array2, array};
use slice_core::py;
use slice_tests::panics::panic_of;

/// Returns the column of the failing slice on a line. The slice begins with the `[` number `n`, counted from 0.
fn bracket(line: u32, n: usize) -> u32 {
    let text = include_str!("panics.rs")
        .lines()
        .nth(line as usize - 1)
        .expect("source has this line");
    let (at, _) = text.match_indices('[').nth(n).expect("line has brackets");
    text[..at].chars().count() as u32 + 1
}

#[rustfmt::skip]
#[test]
fn a_panic_has_the_position_of_the_slice_that_failed() {
    let (x, y): (Array1<i32>, Array2<i32>) = (array![1, 2, 3], array![[1, 2], [3, 4]]);
    let (mut z, mut u) = (x.clone(), x.clone());
    let (two, nine) = (2, 9);
    let first = line!() + 2;
    let panics = [
        panic_of(|| py!(x[1:] + x[nine, ...])),
        panic_of(|| py!(x[nine, ...] + x[1:])),
        panic_of(|| py!(x[1:][::-1][two, ...])),
        panic_of(|| py!(y[0, x[nine,][()]:])),
        panic_of(|| py!(y[:, 1:].t()[two, nine].abs())),
        panic_of(|| py! { z[nine, ...] = 1; }),
        panic_of(|| py! { z[:two] += y[:, nine]; }),
        panic_of(|| py! { u[1:] = u[0, ...]; u[:two] = x[...]; }),
        panic_of(|| py! { u[1:] -= x[...]; }),
    ];
    let brackets = [1, 0, 2, 1, 1, 0, 1, 2, 0];
    let says = ["index 9", "index 9", "index 2", "index 9", "index 2", "index 9", "index 9", "could not", "operands could not"];
    for (at, (panic, (n, says))) in panics.into_iter().zip(brackets.into_iter().zip(says)).enumerate() {
        assert_eq!(panic.file, file!(), "statement {at}: {panic:?}");
        assert_eq!(panic.line, first + at as u32, "statement {at}: {panic:?}");
        assert_eq!(panic.column, bracket(panic.line, n), "statement {at}: {panic:?}");
        assert!(panic.text.starts_with(says), "statement {at}: {panic:?}");
    }
}
