//! `x[i]`: numbers and rows of arrays, what Rust makes of it elsewhere, and masks.

use std::collections::HashMap;

use ndarray::{Array1, Array2, array};
use slice_core::{DynSliceSpec, SliceSpec, py, s};

#[test]
fn rows_and_numbers_are_operands() {
    let (x, v) = (array![[1.0, 2.0], [4.0, 8.0]], array![1.0, 2.0, 4.0]);
    assert_eq!(py!(x[1] - x[0]), array![3.0, 6.0]);
    assert_eq!(py!(2.0 * x[1] + x[0, :]), array![9.0, 18.0]);
    assert_eq!(py!(x[-1] / 2.0), array![2.0, 4.0]);
    assert_eq!(py!(x[1:] - x[0]), array![[3.0, 6.0]]);
    assert_eq!(py!(-x[0]), array![-1.0, -2.0]);
    assert_eq!(py!(v[2] - v[0]), 3.0);
    assert_eq!(py!(v[-1] * v[1]), 8.0);
    assert_eq!(py!(v[1:] / v[1]), array![1.0, 2.0]);
    let last: f64 = py!(v[-1]);
    assert_eq!(last, 4.0);
    assert_eq!(py!(x[-1]), array![4.0, 8.0]);
    assert!(py!(v[-1] > v[0]));
    assert_eq!(py!(x[1:, :] > x[0]), array![[true, true]]);
    let i = 1;
    assert_eq!(py!(x[i] + x[i - 1, :]), array![5.0, 10.0]);
    py! { let tail = x[-1]; assert_eq!(tail.sum(), 12.0); }
}

#[test]
fn the_last_of_a_list() {
    let (v, words, n) = (vec![1, 2, 3], ["a".to_owned(), "b".to_owned()], 2);
    assert_eq!(py!(v[-1] + v[-n]), 5);
    assert_eq!(py!(v[-3]), 1);
    assert_eq!(py!(words[-1]), "b");
}

#[test]
fn indices_of_rust_are_rusts() {
    struct Polynomial(Vec<i32>);
    impl std::ops::Index<isize> for Polynomial {
        type Output = i32;
        fn index(&self, i: isize) -> &i32 {
            &self.0[(i + 1) as usize]
        }
    }
    struct Signal(Vec<f64>);
    impl std::ops::Deref for Signal {
        type Target = Vec<f64>;
        fn deref(&self) -> &Vec<f64> {
            &self.0
        }
    }
    impl std::ops::DerefMut for Signal {
        fn deref_mut(&mut self) -> &mut Vec<f64> {
            &mut self.0
        }
    }
    let (p, mut signal) = (Polynomial(vec![5, 7]), Signal(vec![1.0, 2.0]));
    assert_eq!(py!(p[-1] + p[0]), 12);
    assert_eq!(py!(p[-1]), 5);
    assert_eq!(py!(signal[1] * signal[0]), 2.0);
    let (map, key) = (HashMap::from([("a", 2)]), "a");
    assert_eq!(py!(map[key] * 3), 6);
    let (a, position, pair) = (array![[1, 2], [3, 4]], (1, 0), [0, 1]);
    assert_eq!(py!(a[position] + a[pair]), 5);
    let mut boxes: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|n| n)];
    let mut words = vec![String::new(), String::from("b")];
    let mut counts = [[0_u8; 2]; 2];
    py! {
        signal[0] = 5.0;
        signal[1] += 1.0;
        boxes[0] = Box::new(|n| n + 1);
        words[0] = "a".into();
        words[1] += "c";
        counts[1] = [1, 2];
        counts[1][0] += 3;
    }
    assert_eq!(
        (signal.0, boxes[0](1), words, counts),
        (
            vec![5.0, 3.0],
            2,
            vec!["a".to_owned(), "bc".to_owned()],
            [[0, 0], [4, 2]]
        )
    );
    let layers = [array![1, 2], array![3, 4]];
    assert_eq!(py!(layers[0] + layers[1]), array![4, 6]);
}

#[test]
fn rows_are_written() {
    let (mut x, row): (Array2<f64>, Array1<f64>) = (Array2::zeros((3, 2)), array![1.0, 2.0]);
    py! {
        x[0] = 1.0;
        x[-1] = row;
        x[-1] += [10.0, 20.0];
        x[1] = x[0] + x[-1];
        x[0] *= x[1, 1];
    }
    assert_eq!(x, array![[23.0, 23.0], [12.0, 23.0], [11.0, 22.0]]);
    py! { x[0] = x[1]; x[-2] = x[0, ::-1]; }
    assert_eq!(x, array![[12.0, 23.0], [23.0, 12.0], [11.0, 22.0]]);
    let (mut v, mut a, mut list) = (array![1, 2, 3], [1, 2, 3], vec![1, 2, 3]);
    py! { v[0] = 5; v[-1] = 7; v[-1] -= 1; a[0] = 4; list[1] *= 8; }
    assert_eq!((v, a, list), (array![5, 2, 6], [4, 2, 3], vec![1, 16, 3]));
    fn clear(x: &mut Array2<f64>) {
        py! { x[0] = 0.0; }
    }
    clear(&mut x);
    assert_eq!(x.row(0).sum(), 0.0);
}

#[test]
fn what_a_mask_selects_is_written() {
    let (mut x, y, low) = (
        array![[1.0, -2.0], [3.0, -4.0]],
        array![[0.0, 0.0], [9.0, -9.0]],
        2.0,
    );
    py! {
        x[x < 0.0] = 0.5;
        x[(x > low) & (y > 0.0)] *= 10.0;
    }
    assert_eq!(x, array![[1.0, 0.5], [30.0, 0.5]]);
    py! { x[x == 0.5] = [7.0, 8.0]; x[!(x >= 2.0)] -= 1.0; x[y[...] < 0.0] = -1.0; }
    assert_eq!(x, array![[0.0, 7.0], [30.0, -1.0]]);
    let mut flags = Flags([0, 0]);
    let (a, b) = (1, 2);
    py! { flags[a < b] = 5; }
    assert_eq!(flags.0, [0, 5]);
}

struct Flags([u8; 2]);

impl std::ops::Index<bool> for Flags {
    type Output = u8;
    fn index(&self, i: bool) -> &u8 {
        &self.0[usize::from(i)]
    }
}

impl std::ops::IndexMut<bool> for Flags {
    fn index_mut(&mut self, i: bool) -> &mut u8 {
        &mut self.0[usize::from(i)]
    }
}

#[test]
#[should_panic = "boolean index did not match indexed array along axis 0; size of axis is 3 but size of corresponding boolean axis is 2"]
fn a_mask_has_the_shape_of_the_array() {
    let (mut x, y) = (array![1, 2, 3], array![1, 2]);
    py! { x[y > 1] = 0; }
}

#[test]
fn slices_that_were_stored() {
    let x = array![[1, 2, 3], [4, 5, 6]];
    let (ix, part): (_, SliceSpec<2>) = (s![1, ::-1], s![:, 1:].into());
    let text: DynSliceSpec = "0, :2".parse().unwrap();
    assert_eq!(py!(x[ix] * 2), array![12, 10, 8]);
    assert_eq!(py!(x[ix] + x[0, :]), array![7, 7, 7]);
    let by_reference = &text;
    assert_eq!(py!(x[part] - 1), array![[1, 2], [4, 5]].into_dyn());
    assert_eq!(py!(x[by_reference] - 1), array![0, 1].into_dyn());
}
