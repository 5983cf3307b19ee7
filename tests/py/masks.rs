//! Checks assignments to elements that are selected by masks, which are stored in variables or computed in the
//! brackets.

use ndarray::{Array1, array};
use slice_core::py;

#[test]
fn a_stored_mask_selects_elements() {
    let mut x = array![1.0, -2.0, 3.0];
    let m = py!(x[:] > 0.0);
    py!(x[m] = 0.0);
    assert_eq!(x, array![0.0, -2.0, 0.0]);
    py!(x[&m] += 1.0);
    assert_eq!(x, array![1.0, -2.0, 1.0]);
    py!(x[!m] = 5.0);
    assert_eq!(x, array![1.0, 5.0, 1.0]);
    let bools: Vec<bool> = vec![true, false, false];
    py!(x[bools] = 7.0);
    assert_eq!(x, array![7.0, 5.0, 1.0]);
    assert_eq!(bools.len(), 3);
    let mut y = array![[1, 2], [3, 4]];
    let mask = py!(y[:] > 1);
    py! { y[mask] = 0; }
    assert_eq!(y, array![[1, 0], [0, 0]]);
}

#[test]
fn a_mask_of_the_first_axis_selects_rows() {
    let mut x = array![[1, 1], [2, 2]];
    let rows_mask = array![true, false];
    py! { x[rows_mask] = 3; }
    assert_eq!(x, array![[3, 3], [2, 2]]);
    py! { x[rows_mask] = [7, 8]; }
    assert_eq!(x, array![[7, 8], [2, 2]]);
    py! { x[x[:, 0] > 2] = 0; }
    assert_eq!(x, array![[0, 0], [2, 2]]);
}

#[test]
#[should_panic(expected = "size of axis is 2 but size of corresponding boolean axis is 3")]
fn a_mask_of_the_wrong_length_panics() {
    let mut x = array![[1, 1], [2, 2]];
    let mask = array![true, false, true];
    py! { x[mask] = 3; }
}

#[test]
fn a_mask_may_compare_two_arrays() {
    let (mut x, y) = (array![[1, 2], [3, 4]], array![[1, 0], [3, 0]]);
    py! { x[x == y] = 9; }
    assert_eq!(x, array![[9, 2], [9, 4]]);
    py! { x[x != y] = 5; }
    assert_eq!(x, array![[5, 5], [5, 5]]);
    py! { x[2 <= x] = 1; }
    assert_eq!(x, array![[1, 1], [1, 1]]);
}

#[test]
fn a_mask_may_be_computed_in_the_brackets() {
    fn doubled(x: &Array1<f64>) -> Array1<f64> {
        x * 2.0
    }
    let (mut x, y) = (array![1.0, 2.0, 3.0, 4.0], array![1.0, 1.0, 1.0, 1.0]);
    py! { x[x % 2.0 == 0.0] = 0.0; }
    assert_eq!(x, array![1.0, 0.0, 3.0, 0.0]);
    py! { x[x - y > 0.0] = -5.0; }
    assert_eq!(x, array![1.0, 0.0, -5.0, 0.0]);
    py! { x[-x > 0.0] = 2.0; }
    assert_eq!(x, array![1.0, 0.0, 2.0, 0.0]);
    py! { x[x.mapv(f64::abs) > 1.5] *= 2.0; }
    assert_eq!(x, array![1.0, 0.0, 4.0, 0.0]);
    py! { x[doubled(&x) > 3.5] = 0.0; }
    assert_eq!(x, array![1.0, 0.0, 0.0, 0.0]);
    py! { x[x > &y - 0.5] = 8.0; }
    assert_eq!(x, array![8.0, 0.0, 0.0, 0.0]);
    let (mut n, k) = (array![1, 2, 3], 4);
    py! { n[n > k - 3] = k * 2; }
    assert_eq!(n, array![1, 8, 8]);
    let mask = array![true, true, false, false];
    py! { x[mask & (x > 1.0)] = 3.0; }
    assert_eq!(x, array![3.0, 0.0, 0.0, 0.0]);
    assert_eq!(y.len(), 4);
}

/// An index that is not a mask keeps its Rust meaning. A `bool` also keeps its Rust meaning if the indexed type
/// implements `Index<bool>`.
#[test]
fn indices_that_are_not_masks_keep_their_rust_meaning() {
    struct Pair([i32; 2]);

    impl std::ops::Index<bool> for Pair {
        type Output = i32;

        fn index(&self, at: bool) -> &i32 {
            &self.0[usize::from(at)]
        }
    }

    impl std::ops::IndexMut<bool> for Pair {
        fn index_mut(&mut self, at: bool) -> &mut i32 {
            &mut self.0[usize::from(at)]
        }
    }

    let mut v = vec![1, 2, 3];
    let k = if v[0] > 3 { 2 } else { 1 };
    py! { v[k] = 7; v[k] += 1; }
    assert_eq!(v, [1, 8, 3]);
    let mut x = array![1.0, 2.0, 3.0];
    py! { x[k] = 7.0; x[k] *= 2.0; }
    assert_eq!(x, array![1.0, 14.0, 3.0]);
    let (mut pair, flag) = (Pair([1, 2]), k == 1);
    py! { pair[flag] = 5; pair[!flag] = 6; pair[k > 2] += 1; pair[k + 1 > 5] += 1; }
    assert_eq!(pair.0, [8, 5]);
}

/// Compares elements with every operator, and checks the selected elements against a loop over the compared values.
macro_rules! check_operators {
    ($array:expr, $other:expr, $scalar:expr) => {{
        let (x, y, scalar) = (&$array, &$other, $scalar);
        macro_rules! check {
            ($operator:tt) => {
                let kept = |keeps: &dyn Fn(usize) -> bool| -> Vec<_> {
                    (0..x.len()).filter(|&i| keeps(i)).map(|i| x[i].bits()).collect()
                };
                assert_eq!(bits(py!(x[x $operator scalar])), kept(&|i| x[i] $operator scalar));
                assert_eq!(bits(py!(x[scalar $operator x])), kept(&|i| scalar $operator x[i]));
                assert_eq!(bits(py!(x[y $operator x])), kept(&|i| y[i] $operator x[i]));
                assert_eq!(bits(py!(x[y $operator scalar])), kept(&|i| y[i] $operator scalar));
            };
        }
        check!(<);
        check!(<=);
        check!(>);
        check!(>=);
        check!(==);
        check!(!=);
    }};
}

/// Numbers that are compared bit by bit, so that equal NaNs are equal.
trait Bits: Copy {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($number:ty: $bits:expr;)*) => { $(
        impl Bits for $number {
            fn bits(self) -> u64 {
                $bits(self) as u64
            }
        }
    )* };
}

bits! { f32: f32::to_bits; f64: f64::to_bits; i8: i64::from; u16: u64::from; i32: i64::from; u64: u64::from; }

fn bits<T: Bits>(selected: Array1<T>) -> Vec<u64> {
    selected.iter().map(|number| number.bits()).collect()
}

#[test]
fn comparisons_in_brackets_select_the_same_elements_as_loops() {
    let lengths = (0..70).chain([127, 128, 129, 1000, 1023, 16383, 16384, 16385, 40_007]);
    for len in lengths {
        let number = |i: usize| (i * 2_654_435_761) >> 7 & 7;
        let special =
            |i: usize| [0.0, -0.0, 1.5, -2.0, f64::NAN, f64::INFINITY, 1.0, -1.0][number(i)];
        let other = |i: usize| special(i / 3 + 5);
        let floats = [
            Array1::from_shape_fn(len, special),
            Array1::from_shape_fn(len, other),
        ];
        check_operators!(floats[0], floats[1], 1.0);
        check_operators!(floats[0], floats[1], f64::NAN);
        let floats = floats.map(|x| x.mapv(|v| v as f32));
        check_operators!(floats[0], floats[1], -0.0_f32);
        macro_rules! check_integers {
            ($($int:ty)*) => { $(
                let extreme = |n: usize| [0, 1, 2, 3, <$int>::MIN, <$int>::MAX, <$int>::MAX / 2, 7][n];
                let x = Array1::from_shape_fn(len, |i| extreme(number(i)));
                let y = Array1::from_shape_fn(len, |i| extreme(number(i / 2 + 3)));
                check_operators!(x, y, 3 as $int);
            )* };
        }
        check_integers!(i8 u16 i32 u64);
    }
}

/// How many elements are selected is estimated from samples. Whatever they say, all elements are selected.
#[test]
fn selected_elements_may_be_anywhere() {
    const LEN: usize = 300_000;
    for selected in [0..LEN, 0..0, 5..200, LEN - 100_001..LEN, 1000..150_000] {
        let x = Array1::from_shape_fn(LEN, |i| {
            if selected.contains(&i) {
                i as i32 + 1
            } else {
                0
            }
        });
        let found = py!(x[x > 0]);
        assert!(found.iter().copied().eq(selected.map(|i| i as i32 + 1)));
    }
    // The samples are the first 16 of every 576 elements.
    for outside in [true, false] {
        let x = Array1::from_shape_fn(LEN, |i| i32::from((i % 576 >= 16) == outside) * i as i32);
        let found = py!(x[x != 0]);
        let expected = (1..LEN).filter(|i| (i % 576 >= 16) == outside);
        assert!(found.iter().map(|&i| i as usize).eq(expected));
    }
}

#[test]
fn arrays_of_any_layout_and_type_are_compared_in_brackets() {
    let x = Array1::from_shape_fn(600, |i| (i * 37 % 101) as i64)
        .into_shape_with_order((20, 30))
        .unwrap();
    let all: Vec<i64> = x.iter().copied().filter(|&v| v > 50).collect();
    assert_eq!(py!(x[x > 50]).to_vec(), all);
    let dynamic = x.clone().into_dyn();
    assert_eq!(
        py!(dynamic[dynamic > 50])
            .iter()
            .copied()
            .collect::<Vec<_>>(),
        all
    );
    assert_eq!(
        py!(x[dynamic > 50]).iter().copied().collect::<Vec<_>>(),
        all
    );
    let (transposed, reversed) = (x.t(), x.slice(ndarray::s![..;-1, ..]));
    let expected: Vec<i64> = transposed.iter().copied().filter(|&v| v > 50).collect();
    assert_eq!(py!(transposed[transposed > 50]).to_vec(), expected);
    let expected: Vec<i64> = reversed.iter().copied().filter(|&v| v > 50).collect();
    assert_eq!(py!(reversed[reversed > 50]).to_vec(), expected);
    let row = Array1::from_shape_fn(30, |i| i as i64 * 3);
    let pairs = x.indexed_iter().filter(|((_, j), v)| **v > row[*j]);
    assert_eq!(
        py!(x[x > row]).to_vec(),
        pairs.map(|(_, v)| *v).collect::<Vec<_>>()
    );
    let rows = Array1::from_shape_fn(20, |i| i % 3);
    let expected = x.select(
        ndarray::Axis(0),
        &(0..20).filter(|i| i % 3 == 1).collect::<Vec<_>>(),
    );
    assert_eq!(py!(x[rows == 1]), expected);
    let words: Array1<String> = (0..40).map(|i| format!("{}", i % 7)).collect();
    let numbers = Array1::from_shape_fn(40, |i| i % 7);
    assert_eq!(py!(words[numbers >= 5]).len(), 10);
    assert_eq!(py!(numbers[words == "6".to_owned()]).to_vec(), [6; 5]);
    let pixels = Array1::from_shape_fn(40, |i| [i as u8; 3]);
    assert_eq!(
        py!(pixels[numbers == 6]).to_vec(),
        [6, 13, 20, 27, 34].map(|i| [i; 3])
    );
}

#[test]
#[should_panic(expected = "size of axis is 20 but size of corresponding boolean axis is 21")]
fn a_comparison_of_the_wrong_length_panics() {
    let (x, y) = (Array1::<f32>::zeros(20), Array1::<f32>::zeros(21));
    py!(x[y > 0.0]);
}
