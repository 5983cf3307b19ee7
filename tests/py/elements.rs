//! Checks that `x[i, j]` in `py!` is an element if there is one index for each axis. Also checks comparisons: a
//! comparison with a slice must return an array of `bool`, but `==` and `!=` between two arrays must return a single
//! `bool`.

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use std::ops::AddAssign;

use ndarray::{Array0, Array1, Array2, Array3, ArrayD, ArrayView1, array};
use slice_core::py;

fn x() -> Array2<f64> {
    array![[1.0, 2.0, 4.0], [8.0, 16.0, 32.0]]
}

fn half(number: f64) -> f64 {
    number / 2.0
}

#[test]
fn an_element_can_be_used_as_a_number() {
    let x = x();
    let mut t = 0.5;
    py! {
        if x[0, 0] > 0.5 && x[-1, -1] == 32.0 && !(x[0, 1] <= x[0, 0]) {
            t += x[0, 0];
        }
        t -= x[1, 0] * 0.25;
        t *= -x[0, 1];
    }
    assert_eq!(t, 1.0);
    assert_eq!(py!(half(x[1, 1])), 8.0);
    assert_eq!(py!(x[1, 0].sqrt().max(x[0, -1])), 4.0);
    let number: f64 = py!(x[1, 2] - 2.0 * x[0, 1] + t);
    assert_eq!(number, 29.0);
    assert_eq!(py!([x[0, 0], x[0, 1]]), [1.0, 2.0]);
    assert_eq!(py!(format!("{:.1}", x[0, 2])), "4.0");
    let largest = py!(if x[0, 0] < x[0, 1] { x[0, 1] } else { x[0, 0] });
    assert_eq!(largest, 2.0);
    let counts = array![[3_usize, 4]];
    assert_eq!(py!(vec![0; counts[0, 1]]).len(), 4);
    assert!(py!(1.0 < x[0, 1]));
}

#[test]
fn indices_with_an_ellipsis_select_a_view_of_rank_0() {
    let x = x();
    let view: ndarray::ArrayView0<'_, f64> = py!(x[0, 0, ...]);
    assert_eq!(view[()], 1.0);
    assert_eq!(py!(x[1, 1][()]), 16.0);
    let sum: Array0<f64> = py!(x[0, 0, ...] + x[0, 1]);
    assert_eq!(sum[()], 3.0);
}

#[test]
fn indices_of_an_array_of_dynamic_or_higher_rank_select_a_view() {
    let (x, mut sum) = (x().into_dyn(), ArrayD::zeros(vec![]));
    assert_eq!(py!(x[0, 1][[]]), 2.0);
    py! { sum += x[0, 1]; sum += x[0, 1] * 2.0; }
    assert_eq!(sum[[]], 6.0);
    fn rows<A, S: ndarray::Data<Elem = A>>(
        x: &ndarray::ArrayBase<S, ndarray::Ix3>,
    ) -> ArrayView1<'_, A> {
        py!(x[0, -1])
    }
    assert_eq!(rows(&array![[[1, 2]]]), array![1, 2]);
}

#[test]
fn elements_may_have_any_type() {
    let words = array![["a", "b"], ["c", "d"]].mapv(String::from);
    assert_eq!(py!(words[0, 1].len() + words[1, 0].len()), 2);
    assert_eq!(py!(words[0, 1] + "c"), "bc");
    struct Unique;
    let unique = array![[Unique]];
    assert_eq!(py!(unique[0, 0]).ndim(), 0);
    fn last<A: Clone + std::ops::Mul<Output = A>>(x: &Array2<A>) -> A {
        py!(x[-1, -1] * x[0, 0])
    }
    assert_eq!(last(&array![[2, 3], [4, 5]]), 10);
}

#[test]
fn an_element_is_broadcast_to_the_shape_of_a_slice() {
    let x = x();
    assert_eq!(py!(x[1, 1:] / x[0, 1] - x[0, 0]), array![7.0, 15.0]);
    fn scaled<A: Clone + std::ops::Mul<Output = A>>(x: &Array2<A>) -> Array1<A> {
        py!(x[0, :] * x[1, 0])
    }
    assert_eq!(scaled(&x), array![8.0, 16.0, 32.0]);
}

#[test]
fn comparisons_with_slices_return_arrays_of_bool() {
    let (x, k) = (x(), 3.0);
    assert_eq!(py!(x[:, 1:] > 3.0), array![[false, true], [true, true]]);
    assert_eq!(py!(x[0, :] >= k), array![false, false, true]);
    assert_eq!(py!(k < x[0, :]), array![false, false, true]);
    assert_eq!(py!(x[0, :] != 2.0), array![true, false, true]);
    assert_eq!(py!(-2.0 == -x[0, :]), array![false, true, false]);
    assert_eq!(py!(x[:, 0] <= x[:, 1] / 2.0), array![true, true]);
    assert_eq!(
        py!(x[:, :1] < x[0, :]),
        array![[false, true, true], [false, false, false]]
    );
    assert_eq!(py!(x[0, :] < x[1, 0] - x[0, 2]), array![true, true, false]);
    assert_eq!(py!(x[0, :] > half(6.0)), array![false, false, true]);
    assert_eq!(py!(x[0, :] > x.row(1)), array![false, false, false]);
    assert_eq!(
        py!((x[0, :] > 1.0) & (x[0, :] < k)),
        array![false, true, false]
    );
    assert_eq!(
        py!(!(x[0, :] > 1.0) | (x[1, :] > 16.0)),
        array![true, false, true]
    );
    let single = array![1_f32, 2.0];
    assert_eq!(py!(single[:] > 1.5), array![false, true]);
    assert!(py!((x[..., 1:] > 1.0).iter().all(|&large| large)));
}

#[test]
fn equality_of_two_arrays_compares_elements() {
    let (x, y) = (array![1, 2, 1], array![2, 1]);
    assert_eq!(py!(x[1:] == y), array![true, true]);
    assert_eq!(py!(x[1:] != x[:-1]), array![true, true]);
    assert_eq!(py!(x[1:] == &y), array![true, true]);
    assert_eq!(py!(x[1:] == [2, 3]), array![true, false]);
    assert_eq!(py!(y == y), array![true, true]);
    assert_eq!(py!(x == 1), array![true, false, true]);
    assert_eq!(py!(1 != x), array![false, true, false]);
    assert_eq!(py!(x[1:] > [1, 1]), array![true, false]);
    assert_eq!(y.len(), 2);
}

#[test]
#[expect(
    clippy::match_single_binding,
    reason = "the test needs a pattern that borrows"
)]
fn elements_are_place_expressions() {
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Point {
        at: i32,
    }
    impl Point {
        fn moved(&self) -> Point {
            Point { at: self.at + 1 }
        }
    }
    fn increment(value: &mut i32) {
        *value += 1;
    }
    let mut points = Array2::from_elem((2, 2), Point::default());
    let mut pairs = Array2::from_elem((2, 2), (1, 2));
    let mut lists = Array2::from_elem((1, 2), vec![3, 1]);
    let mut words = array![["a".to_owned(), "b".to_owned()]];
    let (mut x, mut cube) = (array![[1, 2]], Array3::<i32>::zeros((2, 2, 2)));
    let cells = Array2::from_elem((2, 2), Cell::new(1));
    let shared = Array2::from_elem((2, 2), RefCell::new(1));
    py! {
        points[0, 1].at = 5;
        points[1, 0].at += 4;
        assert_eq!(points[0, 1].moved(), Point { at: 6 });
        pairs[-1, -1].0 = 9;
        lists[0, 0].push(5);
        lists[0, 0].sort();
        lists[0, 1][0] = 7;
        words[0, 0].push('!');
        write!(words[0, 1], "{}", 2).unwrap();
        x[0, 1].add_assign(5);
        increment(&mut x[0, 0]);
        cells[0, 1].set(8);
        let last = &mut x[0, -1];
        *last *= 2;
        cube[0, 1][1] = 4;
        cube[1:, 0][0, 1] = 3;
        (&mut cube[1, 1]).fill(6);
        let row = &mut cube[0, 0];
        row.fill(2);
        match lists[0, 1] { ref mut list => list.push(0) }
        *shared[0, 1].borrow_mut() = 5;
        assert!(std::ptr::eq(&shared[0, 1], &shared[(0, 1)]));
    }
    assert_eq!(
        points,
        array![
            [Point { at: 0 }, Point { at: 5 }],
            [Point { at: 4 }, Point { at: 0 }]
        ]
    );
    assert_eq!(pairs[[1, 1]], (9, 2));
    assert_eq!(lists, array![[vec![1, 3, 5], vec![7, 1, 0]]]);
    assert_eq!(words, array![["a!", "b2"]]);
    assert_eq!(x, array![[2, 14]]);
    assert_eq!((cells[[0, 1]].get(), *shared[[0, 1]].borrow()), (8, 5));
    assert_eq!(cube, array![[[2, 2], [0, 4]], [[0, 3], [6, 6]]]);
}

#[test]
fn elements_at_variables_are_place_expressions() {
    let mut pairs = Array2::from_elem((1, 2), (1, 2));
    let mut lists = Array2::from_elem((1, 2), vec![3, 1]);
    let (mut x, mut cube) = (array![[1, 2]], Array3::<i32>::zeros((2, 2, 2)));
    let (i, j) = (0, 1);
    py! {
        pairs[i, -1].0 = 8;
        pairs[i, i].1 += 5;
        lists[i, j].push(2);
        lists[i, j][i] += 4;
        let element = &mut x[i, j];
        *element += 1;
        x[i, i][()] = 7;
        cube[j, i][i] += 1;
        (&mut cube[i, j]).fill(5);
        for row in cube[j,] { assert_eq!(row.len(), 2); }
    }
    assert_eq!(pairs, array![[(1, 7), (8, 2)]]);
    assert_eq!(py!(lists[i, j][1,] + lists[i, j][j,]), 2);
    assert_eq!(lists, array![[vec![3, 1], vec![7, 1, 2]]]);
    assert_eq!(x, array![[7, 3]]);
    assert_eq!(cube, array![[[0, 0], [5, 5]], [[1, 0], [0, 0]]]);
}

#[test]
fn slices_of_an_element_can_be_assigned_to() {
    let mut matrices = vec![array![[1, 2]], array![[3, 4]]];
    py! {
        matrices[1][0, 0] = 1;
        matrices[0][:, 1:] += 5;
        matrices[1][0, 1:].fill(9);
        (&mut matrices[0][0, :1]).fill(8);
        assert_eq!(matrices[1][0, 1], 9);
    }
    assert_eq!(matrices, [array![[8, 7]], array![[1, 9]]]);
    let mut x = array![1.0, 2.0, 3.0];
    py! { x[1:][0] = 5.0; x[1:][1] += x[1:][0]; }
    assert_eq!(x, array![1.0, 5.0, 8.0]);
}
