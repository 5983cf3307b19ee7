//! Compares the result of `gather` with the view of the same slice, for arrays in every memory layout.
#![cfg(feature = "ndarray")]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use ndarray::{Array, Array3, ArrayView3, Axis, ShapeBuilder, s as nd};
use slice_core::{StridedSliceExt, s};

/// Checks several slices of `array`. Each axis must have at least five positions.
fn check(array: ArrayView3<'_, u32>) {
    macro_rules! each {
        ($([$($items:tt)*])*) => {$({
            let view = array.at(s![$($items)*]);
            let copy = array.gather(s![$($items)*]);
            assert!(copy.is_standard_layout(), "{}", stringify!($($items)*));
            assert_eq!(copy, view, "{}", stringify!($($items)*));
        })*};
    }
    each! {
        []
        [::-1, ::-1, ::-1]
        [1:, ..., ::2]
        [..., 1:-1:3]
        [::2, ::-1, 3]
        [..., newaxis, :3]
        [-1, 2:5]
        [0:0]
        [:, :, 5:5]
        [4, 4, 4]
    }
}

#[test]
fn gather_equals_the_view_in_every_memory_layout() {
    let element = |(i, j, k): (usize, usize, usize)| (i * 10_000 + j * 100 + k) as u32;
    check(Array3::from_shape_fn((9, 10, 11), element).view());
    check(Array3::from_shape_fn((9, 10, 11).f(), element).view());
    check(Array3::from_shape_fn((90, 70, 50), element).view());

    let large = Array::from_shape_fn((40, 41, 42), element);
    check(large.slice(nd![1..39, 2..39, 3..39]));
    check(large.slice(nd![..;-1, ..;2, ..;-3]));
    check(large.slice(nd![3..;2, .., ..]).permuted_axes([2, 0, 1]));
    check(large.slice(nd![..12, ..12, ..12]).reversed_axes());
    check(
        large
            .index_axis(Axis(0), 3)
            .broadcast((9, 41, 42))
            .expect("the shapes can be broadcast"),
    );
}

#[test]
fn zero_sized_elements_and_empty_slices_are_gathered() {
    let units = Array::from_elem((3, 4), ());
    assert_eq!(units.gather(s![::-1, 1:]).shape(), [3, 3]);
    assert_eq!(
        units.slice(nd![.., ..;2]).gather(s![::-1, 1:]).shape(),
        [3, 1]
    );
    let empty = Array::from_elem((0, 4), 1_u8);
    assert_eq!(empty.gather(s![::-1, 1:]).shape(), [0, 3]);
    assert_eq!(empty.t().gather(s![1]).shape(), [0]);
}

/// An element that is counted while it is alive, and whose clones panic if `LIMIT` elements are alive.
struct Counted(#[expect(dead_code, reason = "zero-sized elements are copied in another way")] u8);

static ALIVE: AtomicUsize = AtomicUsize::new(0);

const LIMIT: usize = 60;

impl Counted {
    fn new() -> Self {
        ALIVE.fetch_add(1, Relaxed);
        Counted(0)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Self {
        assert!(ALIVE.load(Relaxed) < LIMIT, "too many elements");
        Self::new()
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Relaxed);
    }
}

#[test]
fn finished_clones_are_dropped_if_a_later_clone_panics() {
    let array = Array::from_shape_simple_fn((5, 10), Counted::new);
    let gather = [
        || s![:2].to_dyn(),
        || s![:, ::-3].to_dyn(),
        || s![::-1, ::-1].to_dyn(),
    ];
    for spec in gather {
        let gathered = catch_unwind(AssertUnwindSafe(|| array.gather(spec())));
        assert!(gathered.is_err());
        assert_eq!(ALIVE.load(Relaxed), array.len());
    }
    let lists = catch_unwind(AssertUnwindSafe(|| array.gather(s![[4, 0, 3], :])));
    assert!(lists.is_err());
    assert_eq!(ALIVE.load(Relaxed), array.len());
}

#[test]
fn gather_accepts_specs_and_selections() {
    let array = Array3::from_shape_fn((4, 5, 6), |(i, j, k)| i * 100 + j * 10 + k);
    for view in [array.view(), array.slice(nd![..;-1, ..;-1, ..;-1])] {
        let spec = s![1, newaxis, ::-2, 1:];
        let selection = spec.resolve(view.shape()).unwrap();
        assert_eq!(view.at(&selection), view.at(spec).into_dyn());
        assert_eq!(view.gather(&selection), view.at(spec).into_dyn());
        let empty = s![:0].resolve(selection.output_shape()).unwrap();
        let empty = selection.compose(&empty).unwrap();
        assert_eq!(view.at(empty).shape(), [0, 3, 5]);
    }
    let other = s![0].resolve(&[4, 5, 7]).unwrap();
    assert!(array.try_at(other).is_err());
}
