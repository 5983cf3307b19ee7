//! Checks that a panic at run time is located at the opening bracket of the slice that caused it.

use ndarray::{Array1, Array2, array};
use slice_core::py;
use slice_tests::panics::panic_of;

/// Returns the column of a `[` on a line of this file. Lines and columns are counted from 1. `n` is the number of the
/// bracket on the line, counted from 0.
fn bracket_column(line: u32, n: usize) -> u32 {
    let text = include_str!("panics.rs")
        .lines()
        .nth(line as usize - 1)
        .expect("the source file should have this line");
    let (at, _) = text
        .match_indices('[')
        .nth(n)
        .expect("the line should contain enough brackets");
    text[..at].chars().count() as u32 + 1
}

#[rustfmt::skip]
#[test]
fn a_panic_is_located_at_the_failing_slice() {
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
    let messages = ["index 9", "index 9", "index 2", "index 9", "index 2", "index 9", "index 9", "could not", "operands could not"];
    for (statement, (panic, (n, message))) in panics.into_iter().zip(brackets.into_iter().zip(messages)).enumerate() {
        assert_eq!(panic.file, file!(), "statement {statement} panicked in the wrong file: {panic:?}");
        assert_eq!(panic.line, first + statement as u32, "statement {statement} panicked on the wrong line: {panic:?}");
        assert_eq!(panic.column, bracket_column(panic.line, n), "statement {statement} panicked at the wrong column: {panic:?}");
        assert!(panic.text.starts_with(message), "statement {statement} panicked with the wrong message: {panic:?}");
    }
}

#[test]
fn the_negative_of_an_index_need_not_fit_in_its_type() {
    let (mut x, y) = (Array1::from_iter(0..200), Array2::<i32>::zeros((2, 2)));
    let (i, n, one) = (i8::MIN, i64::MIN, 1_usize);
    assert_eq!(py!((x[-i], x[-one], y[-one, -one])), (128, 199, 0));
    py!(x[-i] += 1);
    assert_eq!(x[128], 129);
    let beyond =
        |number: &str, axis: &str| format!("index {number} is out of bounds for axis {axis}");
    for (panic, message) in [
        (
            panic_of(|| py!(x[-n])),
            beyond("9223372036854775807", "0 with size 200"),
        ),
        (panic_of(|| py!(y[0, -i])), beyond("128", "1 with size 2")),
    ] {
        assert!(panic.text.starts_with(&message), "{}", panic.text);
    }
}
