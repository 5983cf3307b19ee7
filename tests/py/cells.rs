//! Defines the types and functions that the tests in `table` use.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;
use std::str::FromStr;

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

/// Checks that a result has the shape and, except for rounding errors, the elements of NumPy's result.
#[track_caller]
pub fn check_close(ours: &dyn Got, shape: &[usize], elements: &[f64]) {
    assert_eq!(ours.shape(), shape);
    for (ours, numpy) in ours.elements().into_iter().zip(elements) {
        let is_close = (ours - numpy).abs() <= 1e-14 * numpy.abs();
        assert!(is_close, "{ours}, but NumPy's is {numpy}");
    }
}

/// The lines that `tests/oracle/py_table.py` has recorded. Each contains the name of an index, the name of a context, NumPy's
/// text, and the shape and the elements of the result.
const RECORDED: &str = include_str!("../vectors/py_table.txt");

/// Returns the numbers in a list.
fn numbers<T: FromStr<Err: Debug>>(list: &str) -> Vec<T> {
    let list = list.trim_matches(['[', ']']);
    let numbers = list.split(", ").filter(|number| !number.is_empty());
    numbers.map(|number| number.parse().unwrap()).collect()
}

/// The results of NumPy for an index that have not been compared yet, by context.
pub struct Cells(BTreeMap<&'static str, &'static str>);

impl Cells {
    pub fn of(kind: &str) -> Self {
        let lines = RECORDED.lines().filter_map(|line| line.split_once('\t'));
        let cells = lines.filter(|line| line.0 == kind).map(|line| line.1);
        Cells(cells.filter_map(|cell| cell.split_once('\t')).collect())
    }

    /// Checks that the result in a context has the shape and the elements of NumPy's result.
    pub fn check(&mut self, context: &str, ours: &dyn Got) {
        let numpy = self.0.remove(context);
        let [text, shape, elements] = numpy
            .unwrap_or_else(|| panic!("NumPy has no result: {context}"))
            .split('\t')
            .collect::<Vec<_>>()
            .try_into()
            .unwrap();
        assert_eq!(ours.shape(), numbers::<usize>(shape), "{context}: {text}");
        assert_eq!(
            ours.elements(),
            numbers::<f64>(elements),
            "{context}: {text}"
        );
    }

    /// Skips contexts for a reason.
    pub fn without(&mut self, reason: &str, contexts: &[&str]) {
        for context in contexts {
            let skipped = self.0.remove(*context);
            skipped.unwrap_or_else(|| panic!("NumPy has no result: {context}, {reason}"));
        }
    }

    /// Checks that each context was compared or skipped.
    pub fn finish(self) {
        assert_eq!(self.0, BTreeMap::new(), "these results were not compared");
    }
}

/// Returns the names of the indices for which NumPy's results are recorded.
pub fn recorded_kinds() -> BTreeSet<&'static str> {
    RECORDED
        .lines()
        .filter_map(|line| line.split('\t').next())
        .collect()
}

/// Declares a test for each row: its name, NumPy's text, the suggested code, the variable that is compared, and the shape
/// and the elements of NumPy's result.
macro_rules! advice {
    ($($name:ident $text:literal {$($code:tt)*} $out:ident $shape:tt $elements:tt;)*) => { $(
        #[doc = $text]
        #[test]
        fn $name() {
            $($code)*
            $crate::cells::check_close(&$out, &$shape, &$elements);
        }
    )* };
}

pub(crate) use advice;

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
