//! Checks the types of values that can be assigned: like NumPy's `x[...] = value`, `set` accepts a number, a list or an
//! array.

use std::rc::Rc;

use ndarray::{ArcArray1, Array2, Array3, ArrayRef, CowArray, Ix2, array, aview1};
use slice_core::{SliceError, StridedSliceExt, StridedSliceMove, ValuesFor, s};

/// Returns two rows of three zeros, with `values` assigned to the last two columns.
fn columns(values: impl ValuesFor<i32>) -> Array2<i32> {
    let mut a = Array2::zeros((2, 3));
    a.set(s![:, 1:], values);
    a
}

#[test]
fn one_value_is_assigned_to_every_element() {
    assert_eq!(columns(7), array![[0, 7, 7], [0, 7, 7]]);
    let mut strings = array![String::from("a"), String::from("b")];
    strings.set(s![1:], String::from("c"));
    assert_eq!(strings, array!["a", "c"]);
}

#[test]
#[expect(
    clippy::needless_borrows_for_generic_args,
    reason = "references are among the tested types"
)]
fn a_row_of_every_accepted_type_can_be_assigned() {
    let expected = array![[0, 1, 2], [0, 1, 2]];
    let (row, vector) = (array![1, 2], vec![1, 2]);
    let by_reference: &ArrayRef<i32, _> = &row;
    assert_eq!(columns(by_reference), expected);
    assert_eq!(columns(&row), expected);
    assert_eq!(columns(row.view()), expected);
    assert_eq!(columns(&row.view()), expected);
    assert_eq!(columns(row.clone().view_mut()), expected);
    assert_eq!(columns(ArcArray1::from(vec![1, 2])), expected);
    assert_eq!(columns(CowArray::from(aview1(&[1, 2]))), expected);
    assert_eq!(columns(row), expected);
    assert_eq!(columns(&vector), expected);
    assert_eq!(columns(&vector[..]), expected);
    assert_eq!(columns(vector), expected);
    assert_eq!(columns([1, 2]), expected);
    assert_eq!(columns(&[1, 2]), expected);
    assert_eq!(columns([[1, 2]]), expected);
    assert_eq!(columns([[[1, 2]]]), expected);
    assert_eq!(columns([[[[[[1, 2]]]]]]), expected);
}

#[test]
fn columns_and_blocks_can_be_assigned() {
    assert_eq!(columns([[1], [2]]), array![[0, 1, 1], [0, 2, 2]]);
    assert_eq!(columns([[1, 2], [3, 4]]), array![[0, 1, 2], [0, 3, 4]]);
    let mut a = Array3::<i32>::zeros((2, 2, 2));
    a.set(s![::-1], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]);
    assert_eq!(a, array![[[5, 6], [7, 8]], [[1, 2], [3, 4]]]);
}

#[test]
fn a_rust_array_can_be_an_element() {
    let mut pixels = Array2::from_elem((1, 3), [0_u8; 3]);
    pixels.set(s![:, 0], [1, 2, 3]);
    pixels.set(s![:, 1:], [[4; 3], [5; 3]]);
    assert_eq!(pixels, array![[[1, 2, 3], [4; 3], [5; 3]]]);
}

#[test]
fn values_that_do_not_broadcast_are_rejected() {
    let mut a = Array2::<i32>::zeros((2, 3));
    let error = a.try_set(s![:, 1:], [[1, 2, 3]]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("could not broadcast input array from shape (1,3) into shape (2,2)"),
        "{error}"
    );
    assert_eq!(a, Array2::<i32>::zeros((2, 3)));
    let empty_list: [i32; 0] = [];
    assert!(a.try_set(s![:, :2], empty_list).is_err());
    assert_eq!(a.try_set(s![:, 5:], empty_list), Ok(()));
    assert!(a.try_set(s![2], 1).is_err());
    let mut units = Array2::from_elem((1, 1), ());
    let huge = [[(); usize::MAX]; 2];
    assert!(matches!(
        units.try_set(s![...], huge),
        Err(SliceError::TooLarge { .. })
    ));
    let empty = [[[(); 0]; usize::MAX]; 2];
    assert!(matches!(
        units.try_set(s![...], empty),
        Err(SliceError::TooLarge { .. })
    ));
}

#[test]
fn rust_slices_have_the_slicing_methods_of_arrays() {
    let mut v = vec![1, 2, 3, 4, 5];
    assert_eq!(v.at(s![newaxis, ::-2]), array![[5, 3, 1]]);
    assert_eq!(v.gather(s![1:-1]).to_vec(), [2, 3, 4]);
    assert_eq!(v.item(s![-1]), 5);
    let mut out = [0; 2];
    v.gather_into(s![:2], &mut ndarray::aview_mut1(&mut out));
    assert_eq!(out, [1, 2]);
    v.at_mut(s![::2]).mapv_inplace(|x| -x);
    v.fill_at(s![-2:], 0);
    assert_eq!(v, [-1, 2, -3, 0, 0]);
    let (mut even, odd) = v.at_disjoint_mut((s![:4:2], s![1::2]));
    even.assign(&odd);
    assert_eq!(v, [2, 2, 0, 0, 0]);
    let mut array = [1, 2, 3];
    array.set(s![::-1], [4, 5, 6]);
    assert_eq!(array, [6, 5, 4]);
    assert!(array.try_at(s![3]).is_err());
    assert!(matches!(
        [(); usize::MAX].try_at(s![0]),
        Err(SliceError::TooLarge { .. })
    ));
}

/// With a selection that empties a new axis, slicing an array by value must return the same shape as slicing a view.
#[test]
fn a_composed_slice_can_empty_a_new_axis() {
    let first = s![newaxis, 1:].resolve(&[3]).unwrap();
    let second = s![:0, ::-1].resolve(&[1, 2]).unwrap();
    let composed = first.compose(&second).unwrap();
    let array = ndarray::arr1(&[1, 2, 3]).into_dyn();
    assert_eq!(array.at(&composed).shape(), [0, 2]);
    assert_eq!(array.at_move(&composed).shape(), [0, 2]);
}

/// Slicing an array by value must drop every element once, including the elements that are not selected.
#[test]
fn owned_elements_are_dropped_once() {
    let element = Rc::new(());
    let array = Array2::from_shape_simple_fn((3, 4), || Rc::clone(&element));
    let part = array.at_move(s![::-2, newaxis, 1:3]);
    assert_eq!(part.shape(), [2, 1, 2]);
    drop(part);
    assert_eq!(Rc::strong_count(&element), 1);
    let array = Array2::from_shape_simple_fn((3, 4), || Rc::clone(&element));
    assert!(array.try_at_move(s![3]).is_err());
    assert_eq!(Rc::strong_count(&element), 1);
    let empty: ndarray::Array<_, Ix2> =
        Array2::from_shape_simple_fn((3, 4), || Rc::clone(&element)).at_move(s![3:, ::-1]);
    assert_eq!(empty.shape(), [0, 4]);
    drop(empty);
    assert_eq!(Rc::strong_count(&element), 1);
}
