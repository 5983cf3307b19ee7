//! Checks what code in `py!` can modify: slices of Rust slices, slices on which modifying methods are called, and
//! arrays whose element type is inferred from the assigned value.

use ndarray::{Array1, Array2, array};
use slice_core::py;

#[test]
fn slices_of_rust_slices_can_be_assigned_to() {
    let (mut v, mut a) = (vec![1.0, 2.0, 3.0], [1, 2, 3]);
    py! {
        v[1:] = 0.5;
        v[::2] += [1.0, 2.0];
        v[1, ...] -= v[0, ...];
        a[:-1] *= 2;
        a[::-1] = a[...];
        (&mut v[:1]).fill(7.0);
    }
    assert_eq!((&v[..], a), (&[7.0, -1.5, 2.5][..], [3, 4, 2]));
    #[expect(clippy::ptr_arg, reason = "the test needs a reference to a `Vec`")]
    fn clear(v: &mut [f64], whole: &mut Vec<f64>) {
        py! { v[1:] = 0.0; whole[v.len() - 2:] += v[1:]; }
    }
    let mut w = vec![1.0; 3];
    clear(&mut v, &mut w);
    assert_eq!((v, w), (vec![7.0, 0.0, 0.0], vec![1.0; 3]));
    struct Signal {
        samples: Vec<u8>,
        frames: Box<[[u8; 2]]>,
    }
    let mut signal = Signal {
        samples: vec![0; 4],
        frames: vec![[1, 2]; 3].into(),
    };
    py! {
        signal.samples[1::2] = 9;
        signal.frames[1:] = [3, 4];
        signal.frames[0][1:] = 5;
    }
    assert_eq!(signal.samples, [0, 9, 0, 9]);
    assert_eq!(*signal.frames, [[1, 5], [3, 4], [3, 4]]);
}

#[test]
fn methods_can_modify_mutable_slices() {
    let (mut x, mut v) = (array![1, 2, 3], vec![1, 2, 3]);
    py! {
        (&mut x[1:]).swap(0, 1);
        (&mut v[1:]).map_inplace(|v| *v += 1);
    }
    assert_eq!((x, v), (array![1, 3, 2], vec![1, 3, 4]));
}

#[test]
fn a_slice_is_borrowed_mutably_for_a_method_that_modifies_it() {
    let (mut x, mut v) = (array![[1, 2, 3], [4, 5, 6]], vec![1, 2, 3]);
    py! {
        x[1:, ::2].fill(0);
        x[0, 1:].mapv_inplace(|n| n * factor());
        for n in v[1:].iter_mut() { *n += 1; }
        x[..., 0].assign(&array![7, 8]);
    }
    assert_eq!((x, v), (array![[7, 20, 30], [8, 5, 0]], vec![1, 3, 4]));
    fn clear(mut view: ndarray::ArrayViewMut1<'_, i32>) {
        py!(view[1:].fill(0));
    }
    let mut y = array![1, 2];
    clear(y.view_mut());
    assert_eq!(y, array![1, 0]);
}

fn factor() -> i32 {
    10
}

#[test]
fn the_element_type_is_inferred_from_the_value() {
    let x = array![[1.0_f32, 2.0], [3.0, 4.0]];
    let mut r = Array2::zeros((4, 4));
    py! { r[1:-1, 1:-1] = x; }
    assert_eq!(r.sum(), 10.0);
    let mut r = Array1::zeros(3);
    py! { r[1:] = x[0, :]; }
    assert_eq!(r, array![0.0, 1.0, 2.0]);
    let mut r = Array1::zeros(2);
    py! { r[...] += x[0, :] * 2.0; }
    assert_eq!(r, array![2.0, 4.0]);
    let (mut r, view) = (Array1::zeros(2), &x.row(1));
    py! { r[...] -= view; }
    assert_eq!(r, array![-3.0, -4.0]);
    let (mut r, list) = (Array1::zeros(2), vec![1_u8, 2]);
    py! { r[...] = list; }
    assert_eq!((r, list.len()), (array![1, 2], 2));
}
