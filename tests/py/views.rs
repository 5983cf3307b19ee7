//! Checks slices, rows and elements in variables that are declared in `py!`, and consecutive indices such as `x[i][j]`.

use ndarray::{Array1, Array2, ArrayView1, array};
use slice_core::py;

#[test]
fn a_slice_in_a_variable_can_be_an_operand() {
    let x = array![1.0, 2.0, 3.0];
    let doubled = py! { let v = x[1:]; let v = v * 2.0; v };
    assert_eq!(doubled, array![4.0, 6.0]);
    py! {
        let v = x[1:];
        assert_eq!(v * v, array![4.0, 9.0]);
        assert_eq!(-v - 1.0, array![-3.0, -4.0]);
        assert_eq!(v / x[:-1], array![2.0, 1.5]);
        assert_eq!(v > 2.5, array![false, true]);
        assert_eq!(v == 2.0, array![true, false]);
        // The operators have not moved `v`.
        assert_eq!(v.sum() * 2.0, 10.0);
        assert_eq!(format!("{}", v + 1.0), "[3, 4]");
        let typed: ArrayView1<f64> = x[:1];
        assert_eq!(1.0 - typed, array![0.0]);
    }
}

#[test]
fn a_slice_in_a_variable_can_be_the_assigned_value() {
    let (x, mut y) = (array![1.0, 2.0, 3.0], array![0.0, 0.0]);
    py! {
        let v = x[1:];
        y[:] = v * 2.0;
        y += v;
        y[0] += v[1] * 2.0;
    }
    assert_eq!(y, array![12.0, 9.0]);
}

#[test]
fn a_mutable_slice_in_a_variable_can_be_assigned_to() {
    let mut x = array![1.0, 2.0, 3.0];
    py! {
        let v = &mut x[1:];
        v += 9.0;
        v[0] = 1.0;
        v[1:] *= 2.0;
        v -= v * 0.5;
    }
    assert_eq!(x, array![1.0, 0.5, 12.0]);
    let mut v = vec![1, 2, 3];
    py! { let tail = &mut v[1:]; tail *= 3; }
    assert_eq!(v, [1, 6, 9]);
}

#[test]
fn a_variable_that_shadows_a_slice_is_not_treated_as_a_slice() {
    let x = array![1.0, 2.0];
    py! {
        let v = x[1:];
        { let v = 3.0; assert_eq!(v * 2.0, 6.0); }
        let typed = |v: f64| v * 2.0;
        let untyped = |v| 2.0 * v;
        assert_eq!(typed(1.0) + untyped(2.0), 6.0);
        if let Some(v) = Some(2.0) { assert_eq!(v * 2.0, 4.0); }
        match (3.0, 1) { (v, 1) => assert_eq!(v * 3.0, 9.0), _ => unreachable!() }
        for v in 0..2 { assert!(v * 2 < 3); }
        let mut list = vec![1.0];
        while let Some(v) = list.pop() { assert_eq!(v + 1.0, 2.0); }
        fn inside(v: f64) -> f64 { v * 2.0 }
        assert_eq!(inside(2.0), 4.0);
        assert_eq!(v * 2.0, array![4.0]);
    }
}

#[test]
fn rows_and_elements_in_loop_variables_can_be_operands() {
    let (m, v) = (array![[1, 2], [3, 4]], vec![1, 2, 3]);
    let mut rows: Vec<Array1<i32>> = Vec::new();
    py! { for row in m[:] { rows.push(row * 2 - m[0, :]); } }
    assert_eq!(rows, [array![1, 2], array![5, 6]]);
    let mut sum = 0;
    py! { for element in v[1:] { sum += element * 2; } }
    assert_eq!(sum, 10);
    let mut total = 0;
    py! { for row in m[1:].outer_iter() { let twice = row + row; total += twice.sum(); } }
    assert_eq!(total, 14);
}

#[test]
fn loops_that_modify_rows_compile_as_the_messages_suggest() {
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    py! { for mut row in &mut x[1:] { row[0] = 1.0; } }
    py! { for mut row in x[:1].outer_iter_mut() { row[0] = 5.0; } }
    assert_eq!(x, array![[5.0, 2.0], [1.0, 4.0]]);
}

#[test]
fn a_variable_combined_with_a_row_is_not_moved() {
    let (x, mean): (Array2<f64>, _) = (array![[1.0, 2.0], [3.0, 4.0]], array![1.0, 1.0]);
    let mut centered = Vec::new();
    for i in 0..2 {
        centered.push(py!(x[i] - mean));
    }
    assert_eq!(centered, [array![0.0, 1.0], array![2.0, 3.0]]);
    let (first, last) = (py!(x[0] / mean), py!(mean - x[-1]));
    assert_eq!((first, last), (array![1.0, 2.0], array![-2.0, -3.0]));
    // The compiler can infer the type of the closure's parameter only from the multiplication, so `py!` must not
    // rewrite the multiplication.
    let v = [2, 3];
    let product = py!({
        let by = |n| v[1] * n;
        by(3)
    });
    assert_eq!(product, 9);
}

#[test]
fn patterns_bind_elements_and_rows() {
    let x = array![[1, 2, 3], [4, 5, 6]];
    py! {
        let [p, mut q, r] = x[0, :];
        q += 10;
        assert_eq!((p, q, r, p + r), (1, 12, 3, 4));
        let [a, b] = x[:];
        assert_eq!(a + b, array![5, 7, 9]);
        assert_eq!(b * 2 - a, array![7, 8, 9]);
        let [first, .., last] = [x[0, 0], x[0, 1], x[0, 2]];
        assert_eq!(first + last, 4);
    }
}

#[test]
fn an_index_after_an_index_selects_an_element_of_the_row() {
    let (x, i) = (array![[1.0, 2.0], [3.0, 4.0]], 1);
    let (lists, arrays) = (vec![vec![1, 2], vec![3, 4]], [array![1, 2], array![3]]);
    let element: f64 = py!(x[0][1]);
    assert_eq!(element, 2.0);
    py! {
        assert_eq!(x[i][0] * 2.0 + x[1][i], 10.0);
        assert!(x[0][1] > 1.5);
        assert_eq!(format!("{}", x[1][1]), "4");
        assert_eq!(lists[1][0] + lists[i][i], 7);
        assert_eq!(arrays[0][1], 2);
        let (row, list) = (x[i][::-1], lists[0][1:]);
        assert_eq!((row, list), (array![4.0, 3.0].view(), array![2].view()));
        assert_eq!(arrays[i][...] * 2, array![6]);
        let reference = &lists[0][1];
        assert_eq!(*reference, 2);
    }
}

#[test]
fn an_index_after_an_index_keeps_its_rust_meaning_for_other_types() {
    use std::collections::{HashMap, VecDeque};
    struct Grid {
        rows: Vec<Vec<i32>>,
        of: Array2<i32>,
    }
    impl Grid {
        fn sum(&self, i: usize) -> i32 {
            py!(self.rows[i][0] + self.of[i][1])
        }
    }
    let grid = Grid {
        rows: vec![vec![1]],
        of: array![[1, 2]],
    };
    assert_eq!(grid.sum(0), 3);
    let (map, key) = (HashMap::from([("a", vec![1, 2])]), "a");
    let deque = VecDeque::from([vec![1, 2]]);
    let (words, mut table) = (["abc".to_owned()], vec![vec![0; 2]; 2]);
    py! {
        assert_eq!(map[key][1] + map["a"][0] + deque[0][1], 5);
        assert_eq!(&words[0][1..], "bc");
        table[0][1] = 5;
        table[1][0] = table[0][1];
        table[1][1] += table[1][0] * 2;
    }
    assert_eq!(table, [[0, 5], [5, 10]]);
}

#[test]
fn a_row_of_a_slice_can_be_assigned_to() {
    let (mut x, mut v) = (Array2::<f64>::zeros((4, 2)), vec![1, 2, 3]);
    py! {
        x[1:][0] = 5.0;
        x[1:][-1] += 1.0;
        x[2:][0] = x[1, :];
        v[1:][0] = 7;
    }
    assert_eq!(x, array![[0., 0.], [5., 5.], [5., 5.], [1., 1.]]);
    assert_eq!(v, [1, 7, 3]);
}
