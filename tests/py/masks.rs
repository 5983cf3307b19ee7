//! Checks assignments to elements that are selected by masks, which are stored in variables or computed in the
//! brackets.

use ndarray::{Array1, array};
use slice_core::py;

#[test]
fn a_stored_mask_selects_elements() {
    let mut x = array![1.0, -2.0, 3.0];
    let m = py!(x[:] > 0.0);
    py!(x[m] = 0.0);
    assert_eq!(x, array![0.0, -2.0, 0.0]);
    py!(x[&m] += 1.0);
    assert_eq!(x, array![1.0, -2.0, 1.0]);
    py!(x[!m] = 5.0);
    assert_eq!(x, array![1.0, 5.0, 1.0]);
    let bools: Vec<bool> = vec![true, false, false];
    py!(x[bools] = 7.0);
    assert_eq!(x, array![7.0, 5.0, 1.0]);
    assert_eq!(bools.len(), 3);
    let mut y = array![[1, 2], [3, 4]];
    let mask = py!(y[:] > 1);
    py! { y[mask] = 0; }
    assert_eq!(y, array![[1, 0], [0, 0]]);
}

#[test]
fn a_mask_of_the_first_axis_selects_rows() {
    let mut x = array![[1, 1], [2, 2]];
    let rows_mask = array![true, false];
    py! { x[rows_mask] = 3; }
    assert_eq!(x, array![[3, 3], [2, 2]]);
    py! { x[rows_mask] = [7, 8]; }
    assert_eq!(x, array![[7, 8], [2, 2]]);
    py! { x[x[:, 0] > 2] = 0; }
    assert_eq!(x, array![[0, 0], [2, 2]]);
}

#[test]
#[should_panic(expected = "size of axis is 2 but size of corresponding boolean axis is 3")]
fn a_mask_of_the_wrong_length_panics() {
    let mut x = array![[1, 1], [2, 2]];
    let mask = array![true, false, true];
    py! { x[mask] = 3; }
}

#[test]
fn a_mask_may_compare_two_arrays() {
    let (mut x, y) = (array![[1, 2], [3, 4]], array![[1, 0], [3, 0]]);
    py! { x[x == y] = 9; }
    assert_eq!(x, array![[9, 2], [9, 4]]);
    py! { x[x != y] = 5; }
    assert_eq!(x, array![[5, 5], [5, 5]]);
    py! { x[2 <= x] = 1; }
    assert_eq!(x, array![[1, 1], [1, 1]]);
}

#[test]
fn a_mask_may_be_computed_in_the_brackets() {
    fn doubled(x: &Array1<f64>) -> Array1<f64> {
        x * 2.0
    }
    let (mut x, y) = (array![1.0, 2.0, 3.0, 4.0], array![1.0, 1.0, 1.0, 1.0]);
    py! { x[x % 2.0 == 0.0] = 0.0; }
    assert_eq!(x, array![1.0, 0.0, 3.0, 0.0]);
    py! { x[x - y > 0.0] = -5.0; }
    assert_eq!(x, array![1.0, 0.0, -5.0, 0.0]);
    py! { x[-x > 0.0] = 2.0; }
    assert_eq!(x, array![1.0, 0.0, 2.0, 0.0]);
    py! { x[x.mapv(f64::abs) > 1.5] *= 2.0; }
    assert_eq!(x, array![1.0, 0.0, 4.0, 0.0]);
    py! { x[doubled(&x) > 3.5] = 0.0; }
    assert_eq!(x, array![1.0, 0.0, 0.0, 0.0]);
    py! { x[x > &y - 0.5] = 8.0; }
    assert_eq!(x, array![8.0, 0.0, 0.0, 0.0]);
    let (mut n, k) = (array![1, 2, 3], 4);
    py! { n[n > k - 3] = k * 2; }
    assert_eq!(n, array![1, 8, 8]);
    let mask = array![true, true, false, false];
    py! { x[mask & (x > 1.0)] = 3.0; }
    assert_eq!(x, array![3.0, 0.0, 0.0, 0.0]);
    assert_eq!(y.len(), 4);
}

/// An index that is not a mask keeps its Rust meaning. A `bool` also keeps its Rust meaning if the indexed type
/// implements `Index<bool>`.
#[test]
fn indices_that_are_not_masks_keep_their_rust_meaning() {
    struct Pair([i32; 2]);

    impl std::ops::Index<bool> for Pair {
        type Output = i32;

        fn index(&self, at: bool) -> &i32 {
            &self.0[usize::from(at)]
        }
    }

    impl std::ops::IndexMut<bool> for Pair {
        fn index_mut(&mut self, at: bool) -> &mut i32 {
            &mut self.0[usize::from(at)]
        }
    }

    let mut v = vec![1, 2, 3];
    let k = if v[0] > 3 { 2 } else { 1 };
    py! { v[k] = 7; v[k] += 1; }
    assert_eq!(v, [1, 8, 3]);
    let mut x = array![1.0, 2.0, 3.0];
    py! { x[k] = 7.0; x[k] *= 2.0; }
    assert_eq!(x, array![1.0, 14.0, 3.0]);
    let (mut pair, flag) = (Pair([1, 2]), k == 1);
    py! { pair[flag] = 5; pair[!flag] = 6; pair[k > 2] += 1; pair[k + 1 > 5] += 1; }
    assert_eq!(pair.0, [8, 5]);
}
