//! Checks that brackets in `py!` mean what they mean in NumPy after an array, and what they mean in Rust after any other
//! value, whatever is written outside the call.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;
use std::sync::Mutex;

use ndarray::{Array1, Array2, Array3, ArrayD, array};
use slice_core::kind::Range;
use slice_core::{SliceSpec, named, py, s};

struct Stored {
    mask: Array1<bool>,
    tail: SliceSpec<1, (Range, ())>,
    lists: Vec<Vec<i32>>,
}

named! { const TAIL = s![1:]; }

fn table() -> Array2<f64> {
    array![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]
}

#[test]
fn a_number_selects_an_element_or_a_row() {
    let (x, i) = (table(), 1);
    assert_eq!(py!(x[0]), array![1.0, 2.0]);
    assert_eq!(py!(x[-1]), array![5.0, 6.0]);
    assert_eq!(py!(x[i + 1] - x[i]), array![2.0, 2.0]);
    assert_eq!(py!(x[0][1]), 2.0);
    assert_eq!(py!(x[i][-1] + 1.0), 5.0);
    let dynamic: ArrayD<f64> = x.clone().into_dyn();
    assert_eq!(py!(dynamic[0]).shape(), [2]);
    let cube = Array3::<f64>::zeros((2, 3, 4));
    let row = py!(cube[1][2]);
    assert_eq!(row.len(), 4);
}

#[test]
fn lists_masks_and_slices_may_come_from_anywhere() {
    fn above(x: &Array2<f64>, least: f64) -> Array2<bool> {
        x.mapv(|v| v > least)
    }
    let x = table();
    let idx = [0, 2];
    assert_eq!(py!(x[[0, 1]]), array![[1.0, 2.0], [3.0, 4.0]]);
    assert_eq!(py!(x[idx]), array![[1.0, 2.0], [5.0, 6.0]]);
    assert_eq!(py!(x[above(&x, 4.5)]), array![5.0, 6.0]);
    assert_eq!(py!(x[x > 4.5]), array![5.0, 6.0]);
    let nan = x.mapv(f64::is_nan);
    assert_eq!(py!(x[nan].len()), 0);
    let stored = Stored {
        mask: array![true, false, false],
        tail: s![1:],
        lists: vec![vec![1], vec![2]],
    };
    assert_eq!(py!(x[stored.mask]), array![[1.0, 2.0]]);
    assert_eq!(py!(x[stored.tail].dim()), (2, 2));
    assert_eq!(py!(stored.lists[1][0]), 2);
    assert_eq!(py!(x[TAIL].dim()), (2, 2));
    let (ix, _) = (s![0], 1);
    assert_eq!(py!(x[ix] * 2.0), array![2.0, 4.0]);
    assert_eq!(py!(x[ix].sum()), 3.0);
}

#[test]
fn every_kind_of_index_can_be_assigned_to() {
    let mut x = table();
    let (idx, ix, i) = ([0, 2], s![1:, 0], 1);
    py!(x[[0, 1]] = x[[1, 0]]);
    assert_eq!(x, array![[3.0, 4.0], [1.0, 2.0], [5.0, 6.0]]);
    py!(x[idx] = 9.0);
    assert_eq!(x, array![[9.0, 9.0], [1.0, 2.0], [9.0, 9.0]]);
    let m = x.mapv(|v| v > 3.0);
    py! { x[m] = 0.0; x[m] += 1.0; }
    assert_eq!(x, array![[1.0, 1.0], [1.0, 2.0], [1.0, 1.0]]);
    py! { x[ix] = 7.0; x[i] += 1.0; }
    assert_eq!(x, array![[1.0, 1.0], [8.0, 3.0], [7.0, 1.0]]);
    py! { x[0][1:] = 0.0; x[x[:, 0] == x[:, 1]] = 5.0; }
    assert_eq!(x, array![[1.0, 0.0], [8.0, 3.0], [7.0, 1.0]]);
    py! { for i in 0..2 { for j in 0..2 { x[i][j] = 1.0; } } x[0][1] += x[1][0]; }
    assert_eq!(x, array![[1.0, 2.0], [1.0, 1.0], [7.0, 1.0]]);
    // A place that is listed twice is changed once.
    let twice = [0, 0];
    py! { x[twice] += 10.0; }
    assert_eq!(py!(x[0]), array![11.0, 12.0]);
}

#[test]
fn lists_and_indices_are_combined_as_points() {
    let x = Array2::from_shape_fn((3, 4), |(i, j)| (10 * i + j) as f64);
    let (rows, columns, mask) = (vec![0, 2], [1, 3], array![true, false, true]);
    assert_eq!(py!(x[rows, columns]), array![1.0, 23.0]);
    assert_eq!(py!(x[&rows, columns]), array![1.0, 23.0]);
    assert_eq!(py!(x[[0, 2], [1, 3]]), array![1.0, 23.0]);
    assert_eq!(py!(x[mask, 0]), array![0.0, 20.0]);
    assert_eq!(py!(x[mask, 1:3]), array![[1.0, 2.0], [21.0, 22.0]]);
    assert_eq!(py!(x[:, columns].shape()), [3, 2]);
    let (i, j) = (1, -1);
    assert_eq!(py!(x[i, j] + 1.0), 14.0);
    assert_eq!(py!(x[i, 1:]), array![11.0, 12.0, 13.0]);
    let mut y = x.clone();
    py! {
        y[rows, columns] = 100.0;
        y[rows, columns] += [1.0, 2.0];
        y[mask, 0] = 7.0;
        y[i, j] = 5.0;
        y[i, 1:] *= 2.0;
        let row = array![11.0, 5.0, 24.0, 10.0];
        y[i, :] = row;
        assert_eq!(row.len(), 4);
        y[i, 1] = 22.0;
        for k in 0..3 { y[k, 0] += 1.0; }
    }
    let expected = array![
        [8.0, 101.0, 2.0, 3.0],
        [12.0, 22.0, 24.0, 10.0],
        [8.0, 21.0, 22.0, 102.0]
    ];
    assert_eq!(y, expected);
    let (cube, k) = (
        Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k),
        0,
    );
    assert_eq!(py!(cube[k, :, [3, 1]]), array![[3, 13, 23], [1, 11, 21]]);
}

#[test]
fn operators_compare_and_combine_whole_arrays() {
    let x = table();
    assert_eq!(
        py!(x > 3.0),
        array![[false, false], [false, true], [true, true]]
    );
    assert_eq!(py!(3.0 < x), py!(x > 3.0));
    assert!(py!(x == x).iter().all(|&equal| equal));
    let mask = py!(x >= 5.0);
    assert_eq!(py!(!mask), py!(x < 5.0));
    assert_eq!(py!(x - x), Array2::<f64>::zeros((3, 2)));
    assert_eq!(
        py!(-x + x[0]),
        array![[0.0, 0.0], [-2.0, -2.0], [-4.0, -4.0]]
    );
    let mut total = Array1::zeros(2);
    py! { for i in 0..3 { total += x[i]; total -= 0.5 * x[i]; } total += total; }
    assert_eq!(total, array![9.0, 12.0]);
    assert_eq!(x.dim(), (3, 2));
}

#[test]
fn pointers_to_arrays_are_arrays() {
    let shared = Rc::new(table());
    assert_eq!(
        py!(shared[0] + shared[[1, 2]]),
        array![[4.0, 6.0], [6.0, 8.0]]
    );
    let mut boxed = Box::new(table());
    py! { boxed[1] = 0.0; boxed[0][1:] += 1.0; }
    assert_eq!(*boxed, array![[1.0, 3.0], [0.0, 0.0], [5.0, 6.0]]);
    let locked = Mutex::new(table());
    let mut guard = locked.lock().unwrap();
    py! { guard[0] = 9.0; }
    assert_eq!(py!(guard[0]), array![9.0, 9.0]);
}

#[test]
fn after_other_values_brackets_are_rusts() {
    struct Names(Vec<String>);
    impl Deref for Names {
        type Target = Vec<String>;
        fn deref(&self) -> &Vec<String> {
            &self.0
        }
    }
    impl DerefMut for Names {
        fn deref_mut(&mut self) -> &mut Vec<String> {
            &mut self.0
        }
    }
    let (mut v, i, map, text) = (vec![1, 2, 3], 1_usize, HashMap::from([("k", 3)]), "abc");
    let mut names = Names(vec![String::from("a"), String::from("b")]);
    py! {
        v[i] = 5;
        v[0] += v[i];
        assert_eq!(v[0], 6);
        assert_eq!(&v[1..], [5, 3]);
        assert_eq!(map["k"], 3);
        names[0].push('c');
        let first = &names[0];
        assert_eq!(first, "ac");
        let second = names[1].clone();
        names[1] = second + "d";
        assert_eq!(&text[1..], "bc");
        let n = names[1].len();
        assert!(n == 2 && v[0] > 2);
        for k in 0..3 { v[k] = k as i32; }
        v.swap(0, 1);
    }
    let mut calls: Vec<Box<dyn Fn(i32) -> i32>> = vec![Box::new(|x| x)];
    py!(calls[0] = Box::new(|x| x + 1));
    assert_eq!(py!(calls[0](1)), 2);
    let total: i32 = py!((0..3).map(|k| v[k]).sum());
    assert_eq!(total, 3);
    let mut grid = vec![vec![0; 3]; 3];
    py! { grid[1][2] = 4; grid[0] = vec![1]; grid[1][0] += grid[1][2]; }
    assert_eq!(grid[1], [4, 0, 4]);
}

/// The text above a call does not change its meaning: the comments name other types, and the variables shadow others.
#[test]
fn nothing_outside_a_call_changes_it() {
    let x = table();
    // let ix = s![1:];
    let ix = 0;
    assert_eq!(py!(x[ix]), array![1.0, 2.0]);
    // let m: Array1<bool> = x > 3.0; let m = s![0];
    let m = [2, 0];
    assert_eq!(py!(x[m]), array![[5.0, 6.0], [1.0, 2.0]]);
    let m = s![1:, 0];
    assert_eq!(py!(x[m]), array![3.0, 5.0]);
    let m = [true, false, true];
    assert_eq!(py!(x[m]), array![[1.0, 2.0], [5.0, 6.0]]);
    // This call has no line of its own above it.
    macro_rules! call {
        ($m:expr) => {
            py!(x[$m])
        };
    }
    assert_eq!(call!(m), array![[1.0, 2.0], [5.0, 6.0]]);
}

#[test]
fn an_index_may_be_a_temporary() {
    let x = Array2::from_shape_fn((4, 4), |(i, j)| (10 * i + j) as f64);
    let (r, c, half) = (array![0, 2], array![1, 3], array![0, 1]);
    assert_eq!(py!(x[r[:, None], c]), array![[1.0, 3.0], [21.0, 23.0]]);
    assert_eq!(py!(x[2 * half]), py!(x[[0, 2]]));
    assert_eq!(py!(x[half + 1, 2 * half]), array![10.0, 22.0]);
    assert_eq!(py!(x[c[::-1], 0]), array![30.0, 10.0]);
    let places = vec![vec![0_usize], vec![3, 1]];
    let (signed, at) = (vec![vec![-1_i64, 0]], vec![1_i64, 2]);
    assert_eq!(py!(x[places[1]]), py!(x[[3, 1]]));
    assert_eq!(py!(x[signed[0]]), py!(x[[-1, 0]]));
    assert_eq!(py!(x[at[0]]), py!(x[1]));
    assert_eq!(py!(x[c[0]][c[0]]), 11.0);
    let mut y = x.clone();
    py! {
        y[r[:, None], c] = 0.0;
        y[2 * half] += 1.0;
        y[places[1]] = 7.0;
    }
    assert_eq!(
        y,
        array![
            [1.0, 1.0, 3.0, 1.0],
            [7.0; 4],
            [21.0, 1.0, 23.0, 1.0],
            [7.0; 4]
        ]
    );
}

#[test]
fn masks_and_lists_may_have_a_dynamic_rank() {
    let mut x: ArrayD<f64> = table().into_dyn();
    assert_eq!(py!(x[x > 4.0]).shape(), [2]);
    py! { x[x > 2.0] = 7.0; x[x == 7.0] += 1.0; }
    assert_eq!(x, array![[1.0, 2.0], [8.0, 8.0], [8.0, 8.0]].into_dyn());
    let rows = array![2, 0].into_dyn();
    assert_eq!(py!(x[rows]), array![[8.0, 8.0], [1.0, 2.0]].into_dyn());
    assert_eq!(py!(x[rows, 0]), array![8.0, 1.0].into_dyn());
    let y = table();
    assert_eq!(py!(y[rows]), array![[5.0, 6.0], [1.0, 2.0]].into_dyn());
}

#[test]
fn listed_rows_may_be_indexed_again() {
    let x = Array3::from_shape_fn((2, 3, 4), |(i, j, k)| 100 * i + 10 * j + k);
    assert_eq!(py!(x[0][[2, 0]][:, 1]), array![21, 1]);
    assert_eq!(py!(x[[1, 0]][0, 2, 3]), 123);
    let column = py!(x[1][[2, 0]][:, 1]);
    assert_eq!(column, array![121, 101]);
    assert_eq!(py!(x[1][[2, 0]][0][1]), 121);
    assert_eq!(py!(x[1][[2, 0]][0, 1] + 1), 122);
}

#[test]
fn an_element_may_be_matched_and_compared() {
    let (z, b, i, j) = (array![[-1.2_f64]], array![[1, 2], [3, 4]], 1, 0);
    assert!(py!((z[0, 0] - -1.2).abs() < 1e-9));
    assert_eq!(
        py!(match b[i, j] {
            3 => "three",
            _ => "other",
        }),
        "three"
    );
    let two = py! { match b[0, 1] { 2 => 'a', _ => 'b' } };
    assert_eq!(two, 'a');
}

#[test]
fn a_computed_array_is_borrowed_by_an_assignment_operator() {
    let (a, e, k) = (array![[1.0, 2.0], [3.0, 4.0]], array![1.0, 1.0], 2);
    let mut w = array![8.0, 8.0];
    py! {
        w -= 0.5 * a.t().dot(&e);
        w += a.dot(&e);
        w *= -w;
    }
    assert_eq!(w, array![-81.0, -144.0]);
    let (mut t, mut n, text) = (0.0, 1, String::from("ab"));
    let mut joined = String::new();
    py! {
        t += a.sum() * 0.5;
        t -= f64::from(k);
        n += 2 * k + text.len() as i32;
        joined += &text;
        joined += text.as_str();
    }
    assert_eq!((t, n, &*joined), (3.0, 7, "abab"));
}
