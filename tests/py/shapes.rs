//! Checks the panics of operators whose operands cannot be broadcast together. A panic must be located at the operator.
//! Its message must be that of NumPy 2.3, with the shapes of the two operands. For a compound assignment, NumPy's
//! message repeats the shape of the target at the end, but the message of `py!` does not.

use ndarray::{Array1, Array2, ArrayD, Axis, IxDyn, array};
use slice_core::py;
use slice_tests::panics::panic_of;

/// Returns the column of the operator `sign` on a line of this file. Lines and columns are counted from 1.
fn operator_column(line: u32, sign: &str) -> u32 {
    let text = include_str!("shapes.rs")
        .lines()
        .nth(line as usize - 1)
        .expect("the source file should have this line");
    let (before, _) = text
        .split_once(&format!(" {sign} "))
        .expect("the line should contain the operator");
    before.chars().count() as u32 + 2
}

/// The beginning of NumPy's message, before the shapes.
const MESSAGE_START: &str = "operands could not be broadcast together with shapes ";

#[rustfmt::skip]
#[test]
fn a_panic_states_both_shapes_and_is_located_at_the_operator() {
    let (x, y): (Array1<f64>, Array1<f64>) = (array![1.0, 2.0, 4.0, 8.0], array![1.0, 3.0, 9.0]);
    let (m, pair): (Array2<f64>, Array1<f64>) = (array![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], array![1.0, 2.0]);
    let (k, numbers, dynamic) = (2.0, vec![1.0, 2.0], ArrayD::<f64>::zeros(IxDyn(&[2])));
    let (mut z, mut all, mut matrix) = (x.clone(), x.clone(), m.clone());
    let first = line!() + 2;
    let panics = [
        ("-", "(3,) (2,)", panic_of(|| py!(x[1:] - y[:2]))),
        ("-", "(3,) (2,)", panic_of(|| py!(x[1:] - y[:2] * 2.0))),
        ("-", "(3,) (2,)", panic_of(|| py!(2.0 * x[1:] - k * y[:2]))),
        ("*", "(3,) (2,)", panic_of(|| py!((x[1:] + 1.0) * (y[:2] - 1.0)))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + pair))),
        ("/", "(2,) (3,)", panic_of(|| py!(pair / x[1:]))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + &pair))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + { pair.clone() }))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + pair.mapv(f64::abs)))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + pair.view()))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + numbers))),
        ("+", "(3,) (2,)", panic_of(|| py!(x[1:] + [1.0, 2.0]))),
        ("+", "(2,) (1,3)", panic_of(|| py!(x[:2] + [[1.0, 2.0, 3.0]] * m[0, 0]))),
        ("%", "(3,) (2,)", panic_of(|| py!(m[0, :] % m[:, 0]))),
        ("-", "(2,3) (4,)", panic_of(|| py!(m[...] - x[...]))),
        ("-", "(3,) (2,)", panic_of(|| py!(x[1:] - dynamic))),
        ("-", "(3,) (2,)", panic_of(|| py!((if k > 0.0 { x[1:] } else { y[1:] }) - y[:2]))),
        ("-", "(3,) (4,)", panic_of(|| py!(-(x[1:] - x)))),
        ("<", "(3,) (2,)", panic_of(|| py!(x[1:] < y[:2]))),
        ("&", "(3,) (2,)", panic_of(|| py!((x[1:] > 0.0) & (y[:2] > 0.0)))),
        ("-", "(3,) (2,)", panic_of(|| { let rows = [array![1, 2, 3], array![1, 2]]; py!(rows[0] - rows[1]) })),
        ("/", "(2,3) (2,)", panic_of(|| py!(m / m.sum_axis(Axis(1))))),
        ("/", "(2,3) (2,)", panic_of(|| py!(m.abs() / m.sum_axis(Axis(1))))),
        ("+=", "(3,) (2,)", panic_of(|| py! { z[1:] += y[:2]; })),
        ("-=", "(3,) (2,)", panic_of(|| py! { z[1:] -= pair; })),
        ("*=", "(3,) (2,)", panic_of(|| py! { z[1:] *= y[:2] * 2.0; })),
        ("+=", "(4,) (2,)", panic_of(|| py! { all += y[:2]; })),
        ("/=", "(4,) (2,)", panic_of(|| py! { all /= y[:2] * 2.0; })),
        ("+=", "(2,3) (2,)", panic_of(|| py! { matrix += m[:, 0]; })),
    ];
    for (statement, (sign, shapes, panic)) in panics.into_iter().enumerate() {
        assert!(panic.text.starts_with(&format!("{MESSAGE_START}{shapes}; axis -1 has ")), "statement {statement} panicked with the wrong message: {panic:?}");
        assert_eq!((panic.file.as_str(), panic.line), (file!(), first + statement as u32), "statement {statement} panicked on the wrong line: {panic:?}");
        if !sign.ends_with('=') {
            assert_eq!(panic.column, operator_column(panic.line, sign), "statement {statement} panicked at the wrong column: {panic:?}");
        }
    }
}

#[test]
fn a_panic_in_a_block_is_located_on_the_line_of_the_operator() {
    let (x, y): (Array1<f64>, Array1<f64>) = (array![1.0, 2.0, 4.0, 8.0], array![1.0, 3.0, 9.0]);
    let first = line!();
    let panic = panic_of(|| {
        py! {
            let sum = x[:3]
                + y[...]
                - y[:2];
            assert_eq!(sum.len(), 3);
        }
    });
    let reason = "axis -1 has the sizes 3 and 2, but sizes must be equal or 1";
    assert_eq!(panic.text, format!("{MESSAGE_START}(3,) (2,); {reason}"));
    assert_eq!((panic.file.as_str(), panic.line), (file!(), first + 5));
}

#[test]
fn compound_assignment_does_not_broadcast_its_target() {
    let (mut x, m) = (array![1.0, 2.0], array![[1.0, 2.0], [3.0, 4.0]]);
    let expected =
        "non-broadcastable output operand with shape (2,) doesn't match the broadcast shape (2,2)";
    let panic = panic_of(|| py! { x[:] += m[...]; });
    assert_eq!(panic.text, expected);
    let panic = panic_of(|| py! { x += m[...]; });
    assert_eq!(panic.text, expected);
    let row = panic_of(|| py! { x += m[:1, :]; });
    assert_eq!(
        row.text,
        "non-broadcastable output operand with shape (2,) doesn't match the broadcast shape (1,2)"
    );
    assert_eq!(x, array![1.0, 2.0]);
}

#[test]
fn compound_assignment_may_read_its_target() {
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    py! { x += x[0, ...]; }
    assert_eq!(x, array![[2.0, 4.0], [4.0, 6.0]]);
    py! { x -= x[:, :1]; }
    assert_eq!(x, array![[0.0, 2.0], [0.0, 2.0]]);
    py! { x += x[0, 1]; }
    assert_eq!(x, array![[2.0, 4.0], [2.0, 4.0]]);
    py! { x *= x[1, :] - 1.0; }
    assert_eq!(x, array![[2.0, 12.0], [2.0, 12.0]]);
    let y = &mut x;
    py! { *y += y[:, 1:]; }
    assert_eq!(x, array![[14.0, 24.0], [14.0, 24.0]]);
}

#[test]
fn lists_of_numbers_can_be_operands_beside_slices() {
    let (x, numbers) = (
        array![[1.0_f32, 2.0, 3.0], [4.0, 5.0, 6.0]],
        vec![10.0, 20.0],
    );
    assert_eq!(py!(x[0, :2] + [1.0, 2.0]), array![2.0, 4.0]);
    assert_eq!(py!([1.0, 2.0] - x[0, :2]), array![0.0, 0.0]);
    assert_eq!(
        py!(x[:, :2] * [[1.0], [2.0]]),
        array![[1.0, 2.0], [8.0, 10.0]]
    );
    assert_eq!(py!(x[:, 1:] + [0.5; 2]), array![[2.5, 3.5], [5.5, 6.5]]);
    let row = array![1.0, 2.0];
    assert_eq!(py!(x[0][:2] - [1.0, 2.0]), array![0.0, 0.0]);
    assert_eq!(py!(x[1] - [1.0, 2.0, 3.0]), array![3.0, 3.0, 3.0]);
    assert_eq!(py!([1.0, 2.0] * row), array![1.0, 4.0]);
    assert_eq!(py!(row + [[1.0], [2.0]]), array![[2.0, 3.0], [3.0, 4.0]]);
    assert_eq!(py!(x.row(1).to_owned() / [2.0; 3]), array![2.0, 2.5, 3.0]);
    assert_eq!(py!((row - [1.0, 1.0]).sum()), 1.0);
    assert_eq!(py!(x[0, 1] - [1.0, 2.0]), array![1.0, 0.0]);
    assert_eq!(
        py!([1.0, 2.0] * row - [1.0; 2] + row / row),
        array![1.0, 4.0]
    );
    assert_eq!(py!((row * row) / [1.0, 2.0] - [0.0, 1.0]), array![1.0, 1.0]);
    assert_eq!(py!(numbers + x[0, 1:]), array![12.0, 23.0]);
    let slice = numbers.as_slice();
    assert_eq!(py!(x[0, 1:] + *slice), array![12.0, 23.0]);
}
