//! Checks slices with lists and masks in `py!`. As in NumPy, reading such a slice copies the selected elements.

use ndarray::{Array1, Array2, array};
use slice_core::{StridedSliceExt, py, s};

fn table() -> Array2<i32> {
    Array2::from_shape_fn((3, 4), |(i, j)| 10 * i as i32 + j as i32)
}

#[test]
fn lists_and_masks_select_elements() {
    let x = table();
    let rows = vec![2_usize, 0];
    let b: Array2<i32> = py!(x[&rows, :]);
    assert_eq!(b, array![[20, 21, 22, 23], [0, 1, 2, 3]]);
    let b: Array1<i32> = py!(x[0, [3, -4]]);
    assert_eq!(b, array![3, 0]);
    assert_eq!(
        py!(x[:, [true, false, false, true]]),
        array![[0, 3], [10, 13], [20, 23]]
    );
    assert_eq!(py!(x[&rows, ...]).sum(), 92);
    assert_eq!(py!(x[&rows, 1:][0, ::-1]), array![23, 22, 21]);
    let v = vec![1, 2, 3];
    assert_eq!(py!(v[[2, 0],]), array![3, 1]);
}

#[test]
fn slices_with_lists_can_be_operands() {
    let x = table();
    let rows = [2, 0];
    assert_eq!(py!(x[&rows, :2] - x[1:, :2]), array![[10, 10], [-20, -20]]);
    assert_eq!(py!(2 * x[&rows, 0] + 1), array![41, 1]);
    assert_eq!(py!(-x[0, [1, 2]]), array![-1, -2]);
    assert_eq!(py!(x[&rows, 0] > 5), array![true, false]);
    assert_eq!(py!((x[&rows, 0] + x[&rows, 1])[::-1]), array![1, 41]);
}

#[test]
fn slices_with_lists_and_masks_can_be_assigned_to() {
    let mut x = table();
    let rows = vec![2, 0];
    py! {
        x[&rows, 1:3] = 0;
        x[1, [0, 3]] = [7, 8];
    }
    assert_eq!(x, array![[0, 0, 0, 3], [7, 11, 12, 8], [20, 0, 0, 23]]);
    py! {
        x[&rows, 0] += 5;
        x[[true, false, false], ...] *= 2;
    }
    assert_eq!(x, array![[10, 0, 0, 6], [7, 11, 12, 8], [25, 0, 0, 23]]);
    let mut v = vec![1, 2, 3];
    py!(v[[0, 2],] -= [1, 2]);
    assert_eq!(v, [0, 2, 1]);
}

/// As in NumPy, if a list repeats a position, `=` and `+=` use only the last value for this position. In contrast,
/// NumPy's `np.add.at` and this library's `scatter_add` add every value.
#[test]
fn the_last_value_for_a_repeated_position_wins() {
    let mut x = array![0, 10, 20];
    py!(x[[1, 1, 1],] += [1, 2, 3]);
    assert_eq!(x, array![0, 13, 20]);
    let mut all = vec![0, 10, 20];
    s![[1, 1, 1]]
        .resolve(&[3])
        .unwrap()
        .scatter_add(&[1, 2, 3], &mut all)
        .unwrap();
    assert_eq!(all, [0, 16, 20]);
    py!(x[[0, 2, 0],] = [1, 2, 3]);
    assert_eq!(x, array![3, 13, 2]);
}

#[test]
fn the_assigned_value_may_read_the_target_array() {
    let mut x = array![1, 2, 3, 4];
    py!(x[[0, 1],] = x[[3, 2],]);
    assert_eq!(x, array![4, 3, 3, 4]);
    let order = [2, 0, 1, 3];
    py!(x[&order,] = x[:]);
    assert_eq!(x, array![3, 3, 4, 4]);
}

#[test]
fn a_list_on_its_own_selects_rows() {
    let x = table();
    let map = std::collections::HashMap::from([(1, 'a')]);
    assert_eq!(py!(x[[1, 2]]), py!(x[1:3]));
    assert_eq!(py!(map[&1]), 'a');
    assert_eq!(py!(x.gather(s![[0, 2], [0, 1]])), array![[0, 1], [20, 21]]);
}
