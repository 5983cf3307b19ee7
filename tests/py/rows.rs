//! Checks methods that modify `x[i]` in `py!`, and assignments to `x[i][j]`. If `x` is an array with several axes,
//! `x[i]` is a row; otherwise, it is an element, as in Rust.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, Ordering};

use ndarray::{Array1, Array2, Array3, ArrayRef2, ArrayViewMut2, Ix2, array};
use slice_core::py;

struct Layer {
    w: Array2<i32>,
    parts: Vec<Vec<i32>>,
}

impl Layer {
    fn clear(&mut self, i: usize) {
        py! {
            self.w[i].fill(0);
            self.parts[i].fill(0);
            self.w[-1].mapv_inplace(|v| v + 1);
        }
    }
}

#[test]
fn methods_can_modify_rows_of_matrices() {
    let mut x = array![[1, 2], [3, 4]];
    let (y, at) = (array![5, 6], 1_i32);
    py! {
        x[0].fill(7);
        x[at].assign(&y);
    }
    assert_eq!(x, array![[7, 7], [5, 6]]);
    py! {
        x[1].swap(0, 1);
        x[-2].map_inplace(|v| *v += 1);
        x[-1].zip_mut_with(&y, |v, y| *v *= y);
    }
    assert_eq!(x, array![[8, 8], [30, 30]]);
    py! {
        for v in x[0].iter_mut() { *v = 1; }
        for i in 0..2 { x[i].mapv_inplace(|v| v * 10); }
    }
    assert_eq!(x, array![[10, 10], [300, 300]]);
    py! { for (i, v) in x[at].indexed_iter_mut() { *v += i as i32; } }
    assert_eq!(x, array![[10, 10], [300, 301]]);
}

#[test]
fn methods_can_modify_rows_of_views_references_fields_and_arrays_of_rank_3() {
    fn by_reference(x: &mut Array2<i32>) {
        py! { x[0].fill(1); }
    }
    fn by_view(mut x: ArrayViewMut2<'_, i32>) {
        py! { x[-1].fill(2); }
    }
    fn by_array_reference(x: &mut ArrayRef2<i32>) {
        py! { x[1].fill(3); }
    }
    let mut x = Array2::zeros((3, 2));
    by_reference(&mut x);
    by_view(x.view_mut());
    by_array_reference(&mut x);
    assert_eq!(x, array![[1, 1], [3, 3], [2, 2]]);

    let mut cube = Array3::<i32>::zeros((2, 2, 2));
    let mut layer = Layer {
        w: x,
        parts: vec![vec![1], vec![2]],
    };
    layer.clear(1);
    py! { cube[1].fill(4); }
    assert_eq!(layer.w, array![[1, 1], [0, 0], [3, 3]]);
    assert_eq!(layer.parts, [[1], [0]]);
    assert_eq!(cube, array![[[0, 0], [0, 0]], [[4, 4], [4, 4]]]);

    let shared = Mutex::new(Array2::<i32>::zeros((2, 2)));
    let mut guard = shared.lock().unwrap();
    py! { guard[0, 1] = 5; }
    assert_eq!(*guard, array![[0, 5], [0, 0]]);
}

#[test]
fn methods_can_modify_elements_of_vectors_arrays_and_deques() {
    let mut lists = vec![vec![1, 2], vec![3, 4]];
    let mut fixed = [[1, 2], [3, 4]];
    let mut arrays = vec![array![1, 2], array![3, 4]];
    let mut inside: Array1<Vec<i32>> = array![vec![1, 2], vec![3]];
    let mut deque = VecDeque::from([vec![1], vec![2]]);
    let mut cells = array![[vec![1, 2]], [vec![3]]];
    let mut borrowed: Vec<&mut [i32]> = fixed.iter_mut().map(|row| &mut row[..]).collect();
    let (i, position, at) = (0, (1, 0), Ix2(0, 0));
    py! {
        lists[i].fill(7);
        lists[1].fill(8);
        lists[1].swap(0, 1);
        borrowed[1].fill(9);
        arrays[0].fill(5);
        arrays[1].assign(&array![6, 7]);
        inside[0].fill(3);
        inside[-1].iter_mut().for_each(|v| *v += 1);
        deque[1].fill(4);
        cells[position].fill(0);
        cells[at].iter_mut().for_each(|v| *v = 1);
        for v in lists[0].iter_mut() { *v += 1; }
    }
    assert_eq!(lists, [[8, 8], [8, 8]]);
    assert_eq!(fixed, [[1, 2], [9, 9]]);
    assert_eq!(arrays, [array![5, 5], array![6, 7]]);
    assert_eq!(inside, array![vec![3, 3], vec![4]]);
    assert_eq!(deque, [vec![1], vec![4]]);
    assert_eq!(cells, array![[vec![1, 1]], [vec![0]]]);

    let guarded = Mutex::new(vec![vec![1], vec![2]]);
    let mut guard = guarded.lock().unwrap();
    py! { guard[i].fill(3); }
    assert_eq!(*guard, [vec![3], vec![2]]);

    // `AtomicI32::swap` needs only a shared reference, so `py!` must not borrow `counts` mutably, although
    // `lists[1].swap(0, 1)` above borrows `lists` mutably.
    let counts = [AtomicI32::new(1), AtomicI32::new(2)];
    py! {
        counts[1].swap(5, Ordering::Relaxed);
    }
    assert_eq!(counts[1].load(Ordering::Relaxed), 5);
}

#[test]
fn arguments_may_read_the_modified_array() {
    let mut x = array![[1, 2], [3, 4]];
    let mut lists = vec![vec![1, 2], vec![3, 4]];
    py! {
        x[0].fill(x[1, 0] + 1);
        x[1].fill(x[0].sum());
        lists[0].fill(lists[1][0]);
    }
    assert_eq!(x, array![[4, 4], [8, 8]]);
    assert_eq!(lists, [[3, 3], [3, 4]]);
}

#[test]
fn the_index_of_a_modified_row_may_be_computed() {
    let mut x = array![[1, 2], [3, 4], [5, 6]];
    let (mut lists, n) = (vec![vec![1], vec![2]], 2);
    py! {
        for i in 0..2 { x[i + 1].fill(i); }
        x[n - 2].as_slice_mut().unwrap().reverse();
        lists[n - 1].fill(3);
    }
    assert_eq!(x, array![[2, 1], [0, 0], [1, 1]]);
    assert_eq!(lists, [[1], [3]]);
}

#[test]
fn an_element_of_a_row_can_be_assigned_to() {
    let mut x = array![[1.0, 2.0], [3.0, 4.0]];
    let mut lists = vec![vec![1, 2], vec![3, 4]];
    let mut fixed = [[1, 2], [3, 4]];
    let mut text = vec![vec![String::from("a")]];
    let k = 2;
    py! {
        x[0][1] = 5.0;
        x[1][0] += x[0][1];
        x[1][1] = x[0][0] + x[1][1] * 2.0;
        lists[0][1] = 7;
        lists[1][0] += lists[0][1] * k;
        fixed[1][0] = fixed[0][1] + 1;
        fixed[0][0] -= k;
        text[0][0].push('b');
        text[0][0] += "c";
    }
    assert_eq!(x, array![[1.0, 5.0], [8.0, 9.0]]);
    assert_eq!(lists, [[1, 7], [17, 4]]);
    assert_eq!(fixed, [[-1, 2], [3, 4]]);
    assert_eq!(text[0][0], "abc");
    let first = py!(&mut lists[0][0]);
    *first = 6;
    assert_eq!(lists[0], [6, 7]);
}

#[test]
fn an_element_of_a_row_at_variable_indices_can_be_assigned_to() {
    let mut x = Array2::<i32>::zeros((3, 3));
    let mut lists = vec![vec![0; 3]; 3];
    let mut fixed = [[0_u8; 2]; 2];
    let (last, mut k) = (2, 0);
    py! {
        for i in 0..3 {
            for j in 0..3 {
                x[i][j] = (3 * i + j) as i32;
                lists[i][j] = lists[j][i] + 1;
                lists[i][j] += x[i][j];
            }
        }
        x[-1][0] = 50;
        x[-1][last] += x[0][1];
        x[last][last - 1] = x[-2][2];
        lists[2][0] = 50;
        while k < 2 { fixed[k][1 - k] = 7; k += 1; }
    }
    assert_eq!(x, array![[0, 1, 2], [3, 4, 5], [50, 5, 9]]);
    assert_eq!(lists, [[1, 2, 3], [6, 5, 6], [50, 14, 9]]);
    assert_eq!(fixed, [[0, 7], [7, 0]]);
}

#[test]
fn closures_can_modify_rows() {
    let mut x = Array2::zeros((2, 2));
    let mut lists = vec![vec![0; 2]; 2];
    py! {
        (0..2).for_each(|i| lists[i].fill(7));
        (0..2).for_each(|i: usize| x[i].fill(i));
    }
    assert_eq!(x, array![[0, 0], [1, 1]]);
    assert_eq!(lists, [[7, 7], [7, 7]]);
}

#[test]
#[should_panic(expected = "index 2 is out of bounds for axis 0 with size 2")]
fn a_row_index_out_of_bounds_panics() {
    let mut x = Array2::<i32>::zeros((2, 2));
    py! { x[2].fill(0); }
}
