//! Statements from ports of NumPy programs: unpacked rows, slices inside indices, views as operands, and Rust's ranges of
//! values that are not arrays.

use ndarray::{Array1, Array2, ArrayView1, ArrayView2, array};
use slice_core::{nonzero, py};

#[test]
fn rows_and_rust_arrays_are_unpacked() {
    let x = array![[1, 2], [3, 4]];
    let pairs = vec![[1, 2], [3, 4]];
    let cubes = ndarray::Array3::<f64>::zeros((2, 2, 3));
    py! {
        let [a, b] = x[1];
        assert_eq!((a, b), (3, 4));
        let [a, b] = x[[0, 1]][0];
        assert_eq!((a, b), (1, 2));
        let [a, b] = pairs[1];
        assert_eq!((a, b), (3, 4));
        let [a, b] = cubes[0];
        assert_eq!((a.len(), b.len()), (3, 3));
    }
}

#[test]
#[should_panic(expected = "too many values to unpack (expected 2, got 3)")]
fn a_row_with_more_elements_than_names_cannot_be_unpacked() {
    let x = array![[1, 2, 3]];
    py! {
        let [a, b] = x[0];
        assert_eq!((a, b), (1, 2));
    }
}

#[test]
fn an_index_contains_a_slice_with_an_index_of_its_own() {
    let limit = array![1.5, 3.0];
    let mut limited = array![[2.0, 1.0], [0.0, 5.0]];
    py! {
        let over = limited > limit;
        for j in 0..2 {
            limited[over[:, j], j] = limit[j];
        }
    }
    assert_eq!(limited, array![[1.5, 1.0], [0.0, 3.0]]);
}

#[test]
fn a_transposed_array_is_an_operand() {
    let mut p = array![[1.0, 2.0], [3.0, 4.0]];
    py! { p = (p + p.t()) / 2.0; }
    assert_eq!(p, array![[1.0, 2.5], [2.5, 4.0]]);
}

#[test]
fn the_type_of_integers_is_inferred_after_a_number_on_the_left() {
    let image = array![[1, 2], [3, 4]];
    let sum = py!(image[1:] + 2 * image[:-1] + 3 * image[1:]).mapv(i32::abs);
    assert_eq!(sum, array![[14, 20]]);
}

#[test]
fn the_positions_of_a_mask_on_an_axis_are_a_rust_slice() {
    let at = nonzero(&[true, false, true]);
    let positions = at.axis(0);
    let next: Vec<usize> = positions.iter().map(|&at| at + 1).collect();
    assert_eq!((next, positions[1]), (vec![1, 3], 2));
}

/// After a value that is not an array, Rust's ranges mean what they mean in Rust.
#[test]
fn rust_ranges_select_parts_of_values_that_are_not_arrays() {
    struct Named {
        name: String,
    }
    let mut v = vec![1, 2, 3, 4];
    let n = 3;
    let named = Named {
        name: "hello".to_owned(),
    };
    let shared = std::rc::Rc::new(vec![1, 2, 3]);
    let boxed: Box<[i32]> = vec![1, 2].into();
    let text = "abc";
    py! {
        assert!(&v[1..n] == &[2, 3]);
        v[..2].reverse();
        v[1..3].copy_from_slice(&[5, 6]);
        let part = &mut v[3..];
        part[0] = 7;
        assert_eq!(v, [2, 5, 6, 7]);
        assert_eq!(&named.name[1..3], "el");
        assert_eq!(text[1..].to_string(), "bc");
        assert_eq!(v[1..].iter().sum::<i32>() + v[1..][0], 23);
        assert_eq!((shared[1..].len(), boxed[..=1].len()), (2, 2));
    }
}

/// A variable that is assigned to a row is moved at its name. The assignment of a reference does not move it.
#[test]
fn a_row_is_assigned_from_a_reference() {
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    let row: Array1<f64> = array![5.0, 6.0];
    py!(x[0] = &row);
    py!(x[1] = row);
    assert_eq!(x, array![[5.0, 6.0], [5.0, 6.0]]);
}

/// A part of a view or of a referenced array lives as long as the array, so a function can return it.
#[test]
fn a_function_returns_a_part_of_its_argument() {
    fn column<'a>(x: ArrayView2<'a, i32>, j: usize) -> ArrayView1<'a, i32> {
        py!(x[:, j])
    }
    fn row(x: &Array2<i32>, i: usize) -> ArrayView1<'_, i32> {
        py!(x[i])
    }
    let x = array![[1, 2], [3, 4]];
    assert_eq!(column(x.view(), 1), array![2, 4]);
    assert_eq!(row(&x, 1), array![3, 4]);
}

/// Only an array of dynamic rank can turn out to have no axis.
#[test]
#[should_panic(expected = "iteration over a 0-d array")]
fn an_array_of_dynamic_rank_without_axes_has_no_rows() {
    let x = array![1, 2].into_dyn();
    py! {
        for row in x[0, ...] {
            drop(row);
        }
    }
}
