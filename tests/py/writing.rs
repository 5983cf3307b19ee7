//! Checks assignments to slices in `py!`, and mutable slices.

use ndarray::{Array1, Array2, ArrayRef, ArrayRef1, ArrayViewMut1, ArrayViewMut2, Ix1, Zip, array};
use slice_core::py;

#[test]
fn numbers_arrays_lists_and_slices_can_be_assigned() {
    let mut x = Array2::<f32>::zeros((3, 4));
    let (k, row, list) = (0.5, array![1.0, 2.0, 3.0, 4.0], [5.0, 6.0]);
    let view = row.view();
    py! {
        x[0, ...] = 1.0;
        x[1, ...] = k;
        x[2, ...] = row;
        x[0, 2:] = list;
        x[1, ::2] = [[7.0, 8.0]];
        x[1, 1::2] = &list;
        x[1, 1::2] = list[..];
        x[2, :] = view;
        x[2, :1] = row[-1:];
        x[2, 1:2] = k + 1.0;
        x[:, 3] = row[1:] * 10.0;
    }
    assert_eq!(
        x,
        array![
            [1.0, 1.0, 5.0, 20.0],
            [7.0, 5.0, 8.0, 30.0],
            [4.0, 1.5, 3.0, 40.0]
        ]
    );
    // The assignments have not moved the variables.
    assert_eq!((row.len(), view.len(), list.len()), (4, 4, 2));
}

#[test]
fn slices_support_every_compound_assignment() {
    let mut x = array![[1, 2], [3, 4]];
    let (row, k) = (array![2, 3], 3);
    py! {
        x[0, ...] += row;
        x[0, ...] *= k;
        x[..., 1] -= 1;
        x[1, ...] <<= [1, 2];
        x[1, ...] |= 1;
        x[1, ...] ^= &row;
        x[0, ...] /= row[::-1];
        x[0, ...] %= 3;
        x[1, :1] &= 4;
        x[1, 1:] >>= 1;
    }
    assert_eq!(x, array![[0, 1], [4, 7]]);
}

#[test]
fn slices_can_be_assigned_to_slices_of_the_same_array() {
    let mut x = array![1, 2, 3, 4, 5];
    py!(x[1:] = x[:-1]);
    assert_eq!(x, array![1, 1, 2, 3, 4]);
    py!(x[...] = x[::-1]);
    assert_eq!(x, array![4, 3, 2, 1, 1]);
    py!(x[1:] += x[:-1]);
    assert_eq!(x, array![4, 7, 5, 3, 2]);
    py!(x[1:][1:] = &x[:3]);
    assert_eq!(x, array![4, 7, 4, 7, 5]);
    py!(x[0, ...] = x[[1]]);
    assert_eq!(x[0], 7);
    let mut m = array![[1, 2], [3, 4]];
    py!(m[...] = m[...].t());
    assert_eq!(m, array![[1, 3], [2, 4]]);
    py!(m[0, ...] = m.row(1));
    assert_eq!(m, array![[2, 4], [2, 4]]);
}

/// Slices with different steps are a case in which `py!` can differ from NumPy. For `x[::2] = x[:5]`, NumPy 2.4.6 gives
/// `[0, 37, 37, 10, 37, 84, 10, 57, 37]`: if the array has one axis and the steps have the same sign, NumPy overwrites
/// some elements before it reads them. For arrays with two axes, the results of NumPy and `py!` are equal.
#[test]
fn slices_of_the_same_array_may_have_different_steps() {
    let mut x = array![0, 37, 74, 10, 47, 84, 20, 57, 94];
    py!(x[::2] = x[:5]);
    assert_eq!(x, array![0, 37, 37, 10, 74, 84, 10, 57, 47]);
    let mut x = array![0, 37, 74, 10, 47, 84, 20, 57, 94];
    py!(x[..., ::2] += x[:5]);
    assert_eq!(x, array![0, 37, 111, 10, 121, 84, 30, 57, 141]);
}

#[test]
fn a_whole_array_can_be_added_to_its_own_slice() {
    let mut x = array![1, 2, 3];
    py!(x[...] += x);
    assert_eq!(x, array![2, 4, 6]);
    let reference = &mut x;
    py!(reference[...] += reference);
    assert_eq!(x, array![4, 8, 12]);
}

#[test]
fn slices_of_references_and_views_can_be_assigned_to() {
    fn by_reference(x: &mut Array1<i32>) {
        py! { x[1:] = 1; x[0, ...] += x[1,][()]; }
    }
    fn by_view(mut x: ArrayViewMut1<'_, i32>) {
        py!(x[:-1] *= 3);
    }
    fn by_array_ref(x: &mut ArrayRef<i32, Ix1>) {
        py!(x[-1:] = x[:1]);
    }
    let mut x = array![4, 5, 6];
    by_reference(&mut x);
    by_view(x.view_mut());
    by_array_ref(&mut x);
    assert_eq!(x, array![15, 3, 15]);
    let reference = &mut x;
    py!((*reference)[1:] -= 3);
    assert_eq!(x, array![15, 0, 12]);
}

#[test]
fn mutable_slices_modify_their_array() {
    let mut x = array![[1, 2], [3, 4]];
    py! {
        let view: &mut ArrayViewMut2<'_, i32> = &mut x[1:];
        view.fill(0);
    }
    py!((&mut x[:, 0]).mapv_inplace(|v| v + 10));
    py! { for v in &mut x[0, ...] { *v += 1; } }
    let rows = py!(&mut x[...]);
    py!(rows[1, 1] = 7);
    assert_eq!(x, array![[12, 3], [10, 7]]);
}

#[test]
fn slices_can_be_added_to_whole_arrays() {
    let (x, mut total) = (array![[1.0, 2.0], [3.0, 4.0]], Array1::zeros(2));
    py! {
        for i in 0..2 {
            total += x[i, ...];
            total -= 0.5 * x[i, ...];
        }
    }
    assert_eq!(total, array![2.0, 3.0]);
    fn halve(x: &mut ArrayRef1<f64>, k: f64) -> &mut ArrayRef1<f64> {
        py!(*x *= k);
        py!(*x += x[::-1].to_owned());
        x
    }
    assert_eq!(*halve(&mut total, 0.5), *array![2.5, 2.5]);
}

#[test]
fn an_assignment_is_an_expression() {
    let mut x = array![1, 2, 3];
    let mut last = 0;
    let mut clear = |i: usize| py!(x[i, ...] = 0);
    match last {
        0 => clear(1),
        _ => last = 1,
    }
    assert_eq!((x, last), (array![1, 0, 3], 0));
}

#[test]
fn mutable_slices_can_be_arguments() {
    fn by_value(mut v: ArrayViewMut1<'_, f64>) {
        v.fill(0.0);
    }
    fn by_reference(v: &mut ArrayViewMut1<'_, f64>) {
        v.fill(1.0);
    }
    fn by_array_ref(v: &mut ArrayRef1<f64>) {
        v.fill(2.0);
    }
    let mut x = array![5.0, 5.0, 5.0, 5.0];
    py! {
        by_value((&mut x[:1]).into());
        by_reference(&mut x[1:2]);
        by_array_ref(&mut x[2:3]);
        by_reference(&mut (&mut x[3:])[..., :1]);
        Zip::from(&mut x[2:]).for_each(|element| *element += 1.0);
    }
    assert_eq!(x, array![0.0, 1.0, 3.0, 2.0]);
}
