//! Checks that the compiler finds the methods for slicing on the array type itself, without a dereference. The bounds
//! of a slice can then read the array that the method modifies, and generic functions can have trait bounds on the
//! array type. Also checks `gather` for elements that are not `Copy`, and fields that hold slices.
#![cfg(feature = "ndarray")]

use ndarray::{Array1, Array2, ArrayView2, ArrayViewMut2, Axis, CowArray, Ix1, Ix2, array};
use slice_core::{SliceSpec, StridedSliceExt, WritableArray, s};

#[test]
fn bounds_can_read_the_array_that_is_modified() {
    let mut x = array![1, 2, 3, 4];
    x.set(s![x.len() / 2:], 0);
    assert_eq!(x, array![1, 2, 0, 0]);
    x.at_mut(s![x.len() - 1:]).fill(9);
    x.fill_at(s![:x.len() - 3], 5);
    assert_eq!(x, array![5, 2, 0, 9]);
    let y = &mut x;
    y.set(s![y.len() - 2], y.sum());
    assert_eq!(*y, array![5, 2, 16, 9]);
    let mut view = x.view_mut();
    view.try_fill_at(s![view.len() - 1], 7).unwrap();
    let mut v = vec![1, 2, 3];
    v.set(s![v.len() - 1:], v[0]);
    v.at_mut(s![:v.len() - 2]).fill(8);
    let mut a = [1, 2, 3];
    a.set(s![:a.len() - 1], 6);
    assert_eq!((v, a, x), (vec![8, 2, 1], [6, 6, 3], array![5, 2, 16, 7]));
}

#[test]
fn generic_functions_can_have_bounds_on_the_array_type() {
    fn corner<T: StridedSliceExt<f64, Ix2>>(x: &T) -> f64 {
        x.item(s![-1, -1])
    }
    fn clear<T: StridedSliceExt<f64, Ix2> + WritableArray<f64, Ix2>>(x: &mut T) {
        x.set(s![0], 0.0);
    }
    fn last<T: StridedSliceExt<i32, Ix1> + ?Sized>(x: &T) -> i32 {
        x.item(s![-1])
    }
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    clear(&mut x);
    clear(&mut x.view_mut());
    assert_eq!(
        (corner(&x), corner(&x.view()), corner(&x.to_shared())),
        (4.0, 4.0, 4.0)
    );
    assert_eq!(corner(&CowArray::from(&x)), 4.0);
    assert_eq!(
        last(&vec![1, 2]) + last(&[3, 4]) + last([5, 6].as_slice()),
        2 + 4 + 6
    );
    assert_eq!(StridedSliceExt::at(&x, s![0]), array![0.0, 0.0]);
    StridedSliceExt::set(&mut x, s![:, 1], 5.0);
    assert_eq!(x, array![[0.0, 5.0], [3.0, 5.0]]);
}

#[test]
fn elements_that_are_clone_but_not_copy_are_gathered() {
    let words = Array2::from_shape_fn((7, 9), |(i, j)| format!("{i}.{j}"));
    let expected = |view: ArrayView2<'_, String>| view.to_owned();
    let copy = words.gather(s![::-2, 1:]);
    assert_eq!(copy, expected(words.at(s![::-2, 1:])));
    assert!(copy.is_standard_layout());
    assert_eq!(
        words.t().gather(s![:, ::-1]),
        expected(words.t().at(s![:, ::-1]))
    );
    let strided = words.at(s![1:-1:2, ::3]);
    assert_eq!(
        strided.gather(s![..., ::-1]),
        expected(strided.at(s![..., ::-1]))
    );
    let repeated = words.row(0);
    let repeated = repeated.broadcast((5, 9)).unwrap();
    assert_eq!(
        repeated.gather(s![1:, :2]),
        expected(repeated.at(s![1:, :2]))
    );
    let mut out = Array2::from_elem((4, 8), String::new());
    words.gather_into(s![::-2, 1:], &mut out);
    assert_eq!(out, copy);
    assert_eq!(
        vec![String::from("a"), "b".into()].gather(s![::-1]),
        array!["b", "a"]
    );
}

#[test]
fn a_field_can_hold_slices_of_any_kind() {
    #[derive(Clone, Copy)]
    struct Crop {
        part: SliceSpec<2>,
    }
    fn cut<'a>(x: ArrayView2<'a, i32>, crop: Crop) -> ndarray::ArrayViewD<'a, i32> {
        slice_core::StridedSliceMove::at_move(x, crop.part)
    }
    let x = array![[1, 2, 3], [4, 5, 6]];
    let (n, whole) = (x.len_of(Axis(0)), x.view());
    let mut crop = Crop {
        part: s![:1, ::-1].erase(),
    };
    assert_eq!(cut(whole, crop), array![[3, 2, 1]].into_dyn());
    crop.part = s![n - 1, ...].erase();
    assert_eq!(cut(whole, crop), array![4, 5, 6].into_dyn());
    let mut y = x.clone();
    y.set(crop.part, Array1::zeros(3));
    let _: ArrayViewMut2<'_, i32> = y.view_mut();
    assert_eq!(y, array![[1, 2, 3], [0, 0, 0]]);
}
