//! Checks `s![]`, `named!` and `py!` in a crate that renames `slice-core`, denies clippy's pedantic lints, and does not
//! use a prelude.
#![no_implicit_prelude]
#![forbid(unsafe_code)]
#![deny(warnings, clippy::pedantic)]

use ::array::{Array1, Array2, Array3, ArrayView4};
use ::renamed::{SliceSpec, StridedSliceExt, kind, py, s};

/// A constant whose type is imported under the new name of the crate.
pub const REVERSED: SliceSpec<2, (kind::Ellipsis, (kind::Range, ()))> = s![..., ::-1];

::renamed::named! {
    /// A constant whose type is written by `named!`.
    pub const FLIPPED = s![::-1, ...];
}

/// Slices `a` with a literal, an expression and a const parameter as bounds.
#[must_use]
pub fn corner<const STEP: i64>(a: &Array3<f32>, n: usize) -> ArrayView4<'_, f32> {
    a.at(s![n:, ..., newaxis, :-3:STEP])
}

/// Reads, writes and destructures slices.
pub fn smooth(x: &mut Array1<f64>, rate: f64) -> f64 {
    py! {
        x[1:-1] += rate * (x[:-2] - 2.0 * x[1:-1] + x[2:]);
        x[0, ...] = x[1, ...];
        x[1:] = x[:-1];
        let [first, _, last] = x[::x.len() / 2];
        let sum = first + last;
        (&mut x[-1:]).fill(rate);
        sum
    }
}

/// Reads and assigns slices, with one statement of each kind that `py!` expands differently.
pub fn every_kind_of_statement(x: &mut Array2<f64>, row: &Array1<f64>, n: usize) -> f64 {
    let k = 0.5;
    let mut list = ::std::vec![row.to_owned()];
    py! {
        x[0, ...] = k;
        x[1, ...] = row;
        x[n, 1:] = row[1:] - k * row[:-1] / (row + row[::-1]).sum();
        x[:, 0] *= -k;
        x[..., n:] += x.mean().unwrap_or(k);
        x[..., 1] = -row[:2];
        x[1:] = x[:-1];
        x[0, ...] -= row.mapv(f64::sqrt);
        x.view_mut()[0, :n] = 1.0;
        list[0][n:] = [k, k];
        (&mut x[1, :]).swap(0, 1);
        for value in &mut x[0, 1:] {
            *value = value.max(k);
        }
        let tail = &row[1:];
        let picked = |at: usize| x[at, ...].sum();
        if row[1:].sum() > k && x[0, 0][()] < k {
            return picked(n);
        }
        -(tail[::-1] + list[0][1:]).sum() + row.view()[n, ...][()] * 2.0
    }
}

#[test]
fn macros_of_a_renamed_crate_give_numpys_results() {
    let a = Array3::<f32>::zeros((4, 5, 6));
    ::std::assert_eq!(corner::<-1>(&a, 1).shape(), [3, 5, 1, 2]);
    ::std::assert_eq!(a.at(REVERSED).shape(), [4, 5, 6]);
    ::std::assert_eq!(a.at(FLIPPED).shape(), [4, 5, 6]);
    let mut x = Array1::from_vec(::std::vec![0.0, 8.0, 0.0, 0.0, 4.0]);
    let sum = smooth(&mut x, 0.25);
    ::std::assert_eq!(x.to_vec(), [4.0, 4.0, 4.0, 2.0, 0.25]);
    ::std::assert_eq!(sum.to_bits(), 5.0_f64.to_bits());
    // The expected values are NumPy's results for the statements in `every_kind_of_statement`.
    let mut table = Array2::zeros((2, 3));
    let value =
        every_kind_of_statement(&mut table, &Array1::from_vec(::std::vec![1.0, 4.0, 9.0]), 1);
    ::std::assert_eq!(value.to_bits(), (-6.0_f64).to_bits());
    let bits = table.map(|value| value.to_bits());
    let expected =
        [[1.0, 0.5, 0.5], [-1.0, -0.25, 2.693_452_380_952_381]].map(|row| row.map(f64::to_bits));
    ::std::assert_eq!(bits, ::array::arr2(&expected));
}
