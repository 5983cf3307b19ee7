//! Compares slices evaluated at compile time with NumPy's results. For each slice, the compiler computes the output
//! shape, and the selected elements of a flat array and of a nested array.

use serde::Deserialize;
use slice_tests::{Output, read};

use super::cases::CASES;

/// A slice of an array with the elements 0, 1, 2, ..., and the results computed by the compiler.
pub struct Case {
    pub text: &'static str,
    pub shape: &'static [usize],
    pub output_shape: &'static [usize],
    pub elements: &'static [u8],
    pub nested: &'static (dyn Nested + Sync),
}

/// Defines the table of cases, in which every value is a constant.
macro_rules! golden {
    ($(
        $text:literal [$($items:tt)*] of $iota:ident() as $input:ty; $input_len:literal $shape:expr
            => $output:ty; $len:literal $rank:literal;
    )*) => {
        pub static CASES: &[Case] = &[$({
            const OUTPUT_SHAPE: [usize; $rank] = slice_core::s![$($items)*].output_shape($shape);
            const FLAT: [u8; $input_len] = iota1(0);
            const ELEMENTS: [u8; $len] = slice_core::s![$($items)*].gather_array(&FLAT, $shape);
            const INPUT: $input = $iota(0);
            const NESTED: $output = slice_core::s![$($items)*].gather_nested(&INPUT);
            Case {
                text: $text,
                shape: &$shape,
                output_shape: &OUTPUT_SHAPE,
                elements: &ELEMENTS,
                nested: &NESTED,
            }
        }),*];
    };
}

pub(crate) use golden;

/// Returns an array with the elements `first`, `first + 1`, `first + 2`, ...
pub const fn iota1<const N: usize>(first: usize) -> [u8; N] {
    let mut array = [0; N];
    let mut i = 0;
    while i < N {
        array[i] = (first + i) as u8;
        i += 1;
    }
    array
}

/// Defines a function that returns a nested array with the elements `first`, `first + 1`, `first + 2`, ...
macro_rules! iota {
    ($name:ident<$($len:ident)*> -> $row:ty, $make_row:ident) => {
        pub const fn $name<const N: usize, $(const $len: usize),*>(first: usize) -> [$row; N] {
            let mut array = [$make_row(first); N];
            let mut i = 0;
            while i < N {
                array[i] = $make_row(first + i $(* $len)*);
                i += 1;
            }
            array
        }
    };
}

iota!(iota2<A> -> [u8; A], iota1);
iota!(iota3<A B> -> [[u8; B]; A], iota2);
iota!(iota4<A B C> -> [[[u8; C]; B]; A], iota3);

/// A nested array that can be read without this library.
pub trait Nested {
    /// Appends the elements to `elements`, and appends to `shape` the lengths of `axis` and of all later axes. The
    /// lengths of axes inside an axis of length 0 cannot be read, but they are part of the type, so the compiler has
    /// checked them.
    fn read(&self, axis: usize, shape: &mut Vec<usize>, elements: &mut Vec<u8>);
}

impl Nested for u8 {
    fn read(&self, _: usize, _: &mut Vec<usize>, elements: &mut Vec<u8>) {
        elements.push(*self);
    }
}

impl<A: Nested, const N: usize> Nested for [A; N] {
    fn read(&self, axis: usize, shape: &mut Vec<usize>, elements: &mut Vec<u8>) {
        if axis == shape.len() {
            shape.push(N);
        }
        for row in self {
            row.read(axis + 1, shape, elements);
        }
    }
}

#[derive(Deserialize)]
struct RecordedCase {
    text: String,
    shape: Vec<usize>,
    #[serde(default, rename = "const")]
    constant: bool,
    out: Option<Output>,
}

#[test]
fn every_constant_agrees_with_numpy() {
    let (_, recorded) = read::<RecordedCase>("numpy");
    let recorded: Vec<_> = recorded.iter().filter(|case| case.constant).collect();
    assert!(recorded.len() >= 300, "too few cases: {}", recorded.len());
    assert_eq!(
        CASES.len(),
        recorded.len(),
        "cases.rs is out of date: run tests/oracle/const_cases.py"
    );
    for (ours, numpy) in CASES.iter().zip(recorded) {
        assert_eq!((ours.text, ours.shape), (&*numpy.text, &*numpy.shape));
        let description = format!("{:?}[{}]", numpy.shape, numpy.text);
        let out = numpy
            .out
            .as_ref()
            .expect("NumPy should have returned an array");
        assert_eq!(ours.output_shape, out.shape, "{description}");
        let widen = |elements: &[u8]| elements.iter().map(|&x| i64::from(x)).collect::<Vec<_>>();
        assert_eq!(widen(ours.elements), out.elements, "{description}");
        let (mut shape, mut elements) = (vec![], vec![]);
        ours.nested.read(0, &mut shape, &mut elements);
        assert_eq!(widen(&elements), out.elements, "{description}, nested");
        if !out.elements.is_empty() {
            assert_eq!(shape, out.shape, "{description}, nested");
        }
    }
}
