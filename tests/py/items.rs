//! Checks `x[i]` in `py!`: elements and rows of arrays, elements selected by masks, slices whose spec is in a variable,
//! and indices that keep their Rust meaning.

use std::collections::HashMap;

use ndarray::{Array, Array1, Array2, ArrayD, ArrayView1, Ix1, array};
use slice_core::{DynSliceSpec, SliceSpec, py, s};

#[test]
fn rows_and_elements_can_be_operands() {
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
fn types_that_implement_index_are_indexed_by_their_own_impl() {
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
    let (a, position) = (array![[1, 2], [3, 4]], (1, 0));
    assert_eq!(py!(a[position] + a[(0, 1)]), 5);
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
fn rows_and_elements_can_be_assigned_to() {
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
fn masked_elements_can_be_assigned_to() {
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
fn a_mask_must_have_the_shape_of_the_array() {
    let (mut x, y) = (array![1, 2, 3], array![1, 2]);
    py! { x[y > 1] = 0; }
}

#[test]
fn slices_with_specs_in_variables_can_be_operands() {
    let x = array![[1, 2, 3], [4, 5, 6]];
    let (ix, part): (_, SliceSpec<2>) = (s![1, ::-1], s![:, 1:].erase());
    let text: DynSliceSpec = "0, :2".parse().unwrap();
    assert_eq!(py!(x[ix] * 2), array![12, 10, 8]);
    assert_eq!(py!(x[ix] + x[0, :]), array![7, 7, 7]);
    let by_reference = &text;
    assert_eq!(py!(x[part] - 1), array![[1, 2], [4, 5]].into_dyn());
    assert_eq!(py!(x[by_reference] - 1), array![0, 1].into_dyn());
}

#[test]
fn specs_in_variables_work_like_slices_in_brackets() {
    fn first(x: ArrayView1<'_, i32>) -> i32 {
        x[0]
    }
    fn doubled(x: &Array2<i32>, ix: SliceSpec<2>) -> ArrayD<i32> {
        py!(x[ix] * 2)
    }
    fn clear(x: &mut Array1<i32>, ix: &DynSliceSpec) {
        py! { x[ix] = 0; }
    }
    let (x, m) = (array![1, 2, 3, 4], array![[1, 2, 3], [4, 5, 6]]);
    let mut y = x.clone();
    let ix = s![1:];
    assert_eq!((py!(x[ix].sum()), py!(first(x[ix]))), (9, 2));
    py! { y[ix] = 0; y[ix] += x[ix]; y[ix][:1] = 9; }
    assert_eq!(y, array![1, 9, 3, 4]);
    py! { y[ix].fill(5); let rest = &mut y[ix]; rest[0] = 6; }
    assert_eq!(y, array![1, 6, 5, 5]);
    assert_eq!(py!(x[ix] > 2), array![false, true, true]);
    assert_eq!(py!(2 < x[ix]), array![false, true, true]);
    let one = s![1, 2];
    let number: i32 = py!(m[one]);
    assert_eq!((number, py!(m[one] + 1)), (6, 7));
    assert!(py!(m[one] > 5 && m[one] == 6));
    assert_eq!(
        doubled(&m, s![:, ::2].erase()),
        array![[2, 6], [8, 12]].into_dyn()
    );
    clear(&mut y, &"1:3".parse().unwrap());
    assert_eq!(y, array![1, 0, 0, 5]);
    let list = vec![1, 2, 3];
    {
        let ix = 1;
        assert_eq!((py!(list[ix]), py!(list[ix] * 2)), (2, 4));
    }
}

#[test]
fn methods_can_be_called_on_rows_and_elements() {
    let (m, i) = (array![[1, 2, 3], [4, 5, 6]], 1);
    assert_eq!((py!(m[0].sum()), py!(m[-1].sum())), (6, 15));
    assert_eq!(py!(m[i].to_vec()), [4, 5, 6]);
    assert_eq!(py!(m[i].dot(&m[0, ...])), 32);
    let words = vec![String::from("ab"), String::new()];
    assert_eq!(py!(words[0].len() + words[1].len()), 2);
    assert_eq!(py!(words[i].clone()), "");
    let x = array![1.5_f64, -2.25];
    assert_eq!((py!(x[i].abs().sqrt()), py!(x[0].floor())), (1.5, 1.0));
}

#[test]
fn ordinary_rust_places_can_be_assigned_to() {
    let mut grid = vec![vec![0; 3]; 3];
    py! {
        for a in 0..3 {
            grid[a][0] = 1;
            grid[a][a] += 2;
        }
        grid[1].swap(0, 1);
        if let Some(first) = grid[2].first_mut() {
            *first = 8;
        }
        match grid[2][1] {
            ref mut middle if *middle == 0 => *middle = 5,
            _ => {}
        }
    }
    assert_eq!(grid, [vec![3, 0, 0], vec![2, 1, 0], vec![8, 5, 2]]);
    let mut calls: Vec<Box<dyn FnMut() -> i32>> = vec![Box::new(|| 3)];
    assert_eq!(py!((calls[0])()), 3);
    let mut lines = [String::new()];
    {
        use std::fmt::Write;
        py! { write!(lines[0], "{}", grid[2][1]).unwrap(); }
    }
    assert_eq!(lines[0], "5");
    let mut x = array![1, 2, 3];
    py! { let k = 2; x[k] = 9; x[k - 1] = x[k]; let last = &mut x[k]; *last += 1; }
    assert_eq!(x, array![1, 9, 10]);
    let at = |k| py!(x[k]);
    assert_eq!(at(2), 10);
    assert_eq!(py!(x[Ix1(0)]), 1);
}

#[test]
fn masks_work_on_arrays_behind_references() {
    fn clip(x: &mut Array1<f64>, hi: f64) {
        py! { x[x > hi] = hi; }
    }
    fn clear(x: &Array1<f64>, y: &mut Array1<f64>) {
        py! { y[x > 1.0] = 0.0; }
        py! { y[(x <= 1.0) & (x != 0.5)] += 1.0; }
    }
    fn equal(x: &Array1<f64>, y: &mut Array1<f64>) {
        py! { y[x < y] = 7.0; }
    }
    let (mut x, mut y) = (array![0.5, 1.0, 2.0, 4.0], array![1.0, 2.0, 3.0, 4.0]);
    clip(&mut x, 3.0);
    assert_eq!(x, array![0.5, 1.0, 2.0, 3.0]);
    clear(&x, &mut y);
    assert_eq!(y, array![1.0, 3.0, 0.0, 0.0]);
    equal(&x, &mut y);
    assert_eq!(y, array![7.0, 7.0, 0.0, 0.0]);
    let z = &mut x;
    py! { z[z > 1.5] = 1.5; }
    assert_eq!(x, array![0.5, 1.0, 1.5, 1.5]);
}

#[test]
fn elements_at_negative_indices_are_place_expressions() {
    let (x, pairs) = (array![1_i32, 2, 3], array![(1, 2.0), (3, 4.0)]);
    py! {
        assert!(x[-1] == 3);
        assert_eq!(x[-1] - x[0], 2);
        assert_eq!(format!("{} {}", x[-1], x[-2] + 1), "3 3");
    }
    assert_eq!(py!(pairs[0].0 + pairs[-1].0), 4);
    assert_eq!(py!(x[-1].pow(2)), 9);
    let mut x = x;
    let last = py!(&mut x[-1]);
    *last = 5;
    assert_eq!(x, array![1, 2, 5]);
}

#[test]
fn rows_can_be_compared() {
    let m = array![[1, 5], [7, 2]];
    assert_eq!(py!(m[1] > 3), array![true, false]);
    assert_eq!(py!(m[0] <= m[1]), array![true, false]);
    assert_eq!(py!(3 < m[-1]), array![true, false]);
    assert_eq!(py!(m[1] != 2), array![true, false]);
    assert_eq!(py!(m[1] == m[0]), array![false, false]);
    let (i, v) = (1, vec![1.0, 2.0]);
    assert_eq!(py!(m[i] >= 2), array![true, true]);
    assert!(py!(v[i] > 1.0 && v[0] != v[i] && v[1] >= v[i]));
    assert!(py!(m[0, 1] == 5));
}

#[test]
fn rows_can_be_the_assigned_value() {
    let m = array![[1, 5], [7, 2]];
    let (mut q, i) = (array![[0, 0], [0, 0]], 0);
    py! { q[0, ...] = m[1]; q[1, :] = m[i]; }
    assert_eq!(q, array![[7, 2], [1, 5]]);
    py! { q[:] += m[1]; q[:, 0] = q[0]; }
    assert_eq!(q, array![[14, 4], [4, 7]]);
    let (mut d, e) = (q.clone().into_dyn(), m.clone().into_dyn());
    py! { d[0, ...] = e[1]; }
    assert_eq!(d, array![[7, 2], [4, 7]].into_dyn());
}

#[test]
fn loops_iterate_over_rows_as_in_python() {
    let (x, v) = (array![[1, 2], [3, 4]], array![1, 2, 3]);
    let (mut y, cube) = (x.clone(), Array::from_elem((2, 2, 2), 1));
    let mut t = 0;
    py! {
        for row in x[:] { assert_eq!(row.len(), 2); t += row.sum(); }
        for row in &x[1:] { assert_eq!(row.to_vec(), [3, 4]); }
        for &element in v[1:] { t += element; }
        for element in x[0, :] { t += element; }
        for mut row in &mut y[:, 1:] { row.fill(9); }
        for element in &mut y[0, :] { *element += 1; }
        for row in cube[0, :] { assert_eq!(row.len(), 2); }
        for row in cube[0, :, :] { assert_eq!(row.len(), 2); }
        for row in cube[0,] { assert_eq!(row.len(), 2); }
        for row in cube[0] { assert_eq!(row.len(), 2); }
        for element in x[1] { t += 1000 * element; }
        for row in x[[1, 0]] { assert_eq!(row.len(), 2); t += 10000; }
        for row in x[[1, 0, 1], :] { assert_eq!(row.len(), 2); t += 100; }
        for element in v[[0, 2],] { t += element; }
    }
    assert_eq!(
        (t, y),
        (10 + 5 + 3 + 7000 + 20000 + 300 + 4, array![[2, 10], [3, 9]])
    );
    let mut n = 0;
    let dynamic = x.view().into_dyn();
    py! { for row in dynamic[1:] { assert_eq!(row.shape(), [2]); n += 1; } }
    assert_eq!(n, 1);
    let (mut pairs, lists) = ([[1, 2], [3, 4]], vec![vec![5], vec![6]]);
    py! {
        for number in pairs[1] { n += number; }
        for number in &mut pairs[0] { *number += n; }
        for number in &lists[1] { n += *number; }
    }
    assert_eq!((n, pairs), (14, [[9, 10], [3, 4]]));
}

#[test]
fn arguments_of_macros_and_values_of_macros_are_as_in_other_code() {
    let (x, y) = (array![1, 2], array![10, 20]);
    let mut m = array![[0, 0], [0, 0]];
    py! {
        let text = format!("{} {}", x + y, stringify!(x + y));
        assert_eq!(text, "[11, 22] x + y");
        m[0] = array![1, 2];
        m[1] = vec![3, 4];
    }
    assert_eq!((x + y, m), (array![11, 22], array![[1, 2], [3, 4]]));
}
