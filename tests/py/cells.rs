//! Defines the types and functions that the generated tests in `table` use.

use ndarray::{Array2, ArrayBase, Data, DataMut, Dimension};
use slice_core::kind::Range;
use slice_core::{Nonzero, SliceSpec};

pub struct Holder {
    pub x: Array2<f64>,
}

pub struct List {
    pub v: Vec<i64>,
}

pub struct Held {
    pub ix: SliceSpec<2, (Range, (Range, ()))>,
    pub rows: Vec<usize>,
}

/// A result of a cell: a number, a `bool`, or an array of these.
pub trait Got {
    fn shape(&self) -> Vec<usize>;
    fn elements(&self) -> Vec<f64>;
}

/// A number or a `bool`.
pub trait Element: Copy {
    fn number(self) -> f64;
}

macro_rules! elements {
    ($($element:ty: $value:ident => $number:expr;)*) => { $(
        impl Element for $element {
            fn number(self) -> f64 {
                let $value = self;
                $number
            }
        }

        impl Got for $element {
            fn shape(&self) -> Vec<usize> {
                Vec::new()
            }

            fn elements(&self) -> Vec<f64> {
                vec![self.number()]
            }
        }
    )* };
}

elements! {
    f64: value => value;
    i32: value => value.into();
    i64: value => value as f64;
    usize: value => value as f64;
    bool: value => f64::from(u8::from(value));
}

impl<A: Element, S: Data<Elem = A>, D: Dimension> Got for ArrayBase<S, D> {
    fn shape(&self) -> Vec<usize> {
        self.shape().to_vec()
    }

    fn elements(&self) -> Vec<f64> {
        self.iter().map(|element| element.number()).collect()
    }
}

impl<const N: usize> Got for Nonzero<N> {
    fn shape(&self) -> Vec<usize> {
        vec![N, self.len()]
    }

    fn elements(&self) -> Vec<f64> {
        (0..N)
            .flat_map(|axis| self.axis(axis))
            .map(|&at| at as f64)
            .collect()
    }
}

macro_rules! pointers {
    ($($pointer:ty)*) => { $(
        impl<T: Got + ?Sized> Got for $pointer {
            fn shape(&self) -> Vec<usize> {
                T::shape(self)
            }

            fn elements(&self) -> Vec<f64> {
                T::elements(self)
            }
        }
    )* };
}

impl<T: Element> Got for Vec<T> {
    fn shape(&self) -> Vec<usize> {
        vec![self.len()]
    }

    fn elements(&self) -> Vec<f64> {
        self.iter().map(|element| element.number()).collect()
    }
}

pointers! { &T &mut T Box<T> std::rc::Rc<T> std::cell::RefMut<'_, T> std::sync::MutexGuard<'_, T> }

/// Checks that a result has the shape and the elements of NumPy's result.
#[track_caller]
pub fn check(ours: &dyn Got, shape: &[usize], elements: &[f64]) {
    assert_eq!(ours.shape(), shape);
    assert_eq!(ours.elements(), elements);
}

/// Checks a result like [`check`], but allows rounding errors.
#[track_caller]
pub fn check_close(ours: &dyn Got, shape: &[usize], elements: &[f64]) {
    assert_eq!(ours.shape(), shape);
    for (ours, numpy) in ours.elements().into_iter().zip(elements) {
        let is_close = (ours - numpy).abs() <= 1e-14 * numpy.abs();
        assert!(is_close, "{ours}, but NumPy's is {numpy}");
    }
}

pub fn total(part: &dyn Got) -> f64 {
    part.elements().iter().sum()
}

pub fn total_of(part: impl Got) -> f64 {
    total(&part)
}

/// A part of an array that can be modified.
pub trait Clear {
    fn clear(&mut self);
}

impl Clear for f64 {
    fn clear(&mut self) {
        *self = 0.0;
    }
}

impl<S: DataMut<Elem = f64>, D: Dimension> Clear for ArrayBase<S, D> {
    fn clear(&mut self) {
        self.fill(0.0);
    }
}

pub fn clear(part: &mut impl Clear) {
    part.clear();
}

pub fn pick() -> Vec<i64> {
    vec![2, 1]
}

pub fn same<T: ?Sized>(value: &T) -> &T {
    value
}

pub fn zero(value: &mut i64) {
    *value = 0;
}

pub fn twice(value: i64) -> i64 {
    2 * value
}

#[test]
fn the_guide_gives_the_reason_for_each_cell_that_is_not_supported() {
    let guide = include_str!("../../slice-core/docs/numpy_to_rust.md");
    for reason in super::table::REASONS {
        assert!(guide.contains(reason), "{reason}");
    }
}
