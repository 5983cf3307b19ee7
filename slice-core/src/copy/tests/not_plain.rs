//! Checks copies of elements that must not be copied as integers: elements with padding or pointers, and uninitialized
//! elements.
//!
//! Each element is used after the copy, because Miri reports a pointer that has lost its provenance only when it is
//! used.

use super::OutputAxes;
use crate::copy::elements::Elements;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::num::NonZero;

/// Slices of arrays with one or two axes. If the elements have no padding and no pointers, special kernels copy these
/// slices. If an element has four bytes, each slice selects more than 512 bytes, because no vector kernel is chosen for
/// smaller outputs.
const SLICES: [&[(usize, usize, isize, usize)]; 6] = [
    &[(130, 129, -1, 130)],
    &[(132, 1, 1, 130)],
    &[(259, 0, 2, 130)],
    &[(44, 0, 1, 44), (4, 0, 1, 3)],
    &[(44, 43, -1, 44), (4, 2, -1, 3)],
    // Rows that are copied as long runs of bytes.
    &[(2, 0, 1, 2), (70, 3, 1, 66)],
];

/// Copies elements with every copy function. `element` creates an element from a number. `read` uses an element, and
/// returns `true` if the element was created from the given number.
fn check<T: Copy>(element: impl Fn(usize) -> T, read: impl Fn(usize, T) -> bool) {
    for slice in SLICES {
        let output_axes = OutputAxes::of_slice(slice);
        let offsets = output_axes.naive_offsets();
        let input: Vec<T> = (0..output_axes.input_len).map(&element).collect();
        let plan = output_axes
            .plan()
            .expect("the elements should be in bounds");
        let gathered = |out: &[T], how| {
            assert_eq!(out.len(), offsets.len(), "{how}");
            for (&offset, &out) in offsets.iter().zip(out) {
                assert!(
                    read(offset, out),
                    "{how}: element {offset} of {slice:?} differs"
                );
            }
        };
        let values: Vec<T> = offsets.iter().map(|offset| element(offset + 1)).collect();
        let scattered = |into: &[T], how| {
            let mut expected: Vec<usize> = (0..into.len()).collect();
            offsets.iter().for_each(|&offset| expected[offset] += 1);
            for (number, &into) in expected.into_iter().zip(into) {
                assert!(
                    read(number, into),
                    "{how}: expected the element made from {number} for {slice:?}"
                );
            }
        };
        gathered(&plan.gather(&input).unwrap(), "gather");
        // SAFETY: the plan was made for an input of this length, so all its offsets are in bounds, and the elements are
        // `Copy`.
        #[cfg(feature = "ndarray")]
        #[expect(unsafe_code)]
        let exact = unsafe { plan.gather_exact(input.as_ptr()) };
        #[cfg(feature = "ndarray")]
        gathered(&exact.unwrap(), "gather exactly");
        let mut into = input.clone();
        plan.scatter(&values, &mut into).unwrap();
        scattered(&into, "scatter");
        gathered(&plan.gather_clones(&input).unwrap(), "gather cloned");
        let mut into = input.clone();
        plan.scatter_clones(&values, &mut into);
        scattered(&into, "scatter cloned");
    }
    #[cfg(feature = "ndarray")]
    check_arrays(element, read);
}

/// Checks copies of arrays, and of views with gaps between their elements.
#[cfg(feature = "ndarray")]
fn check_arrays<T: Copy>(element: impl Fn(usize) -> T, read: impl Fn(usize, T) -> bool) {
    use crate::{StridedSliceExt, s};
    use ndarray::{Array, Array2, ArrayRef2, s as nd};

    let (rows, columns) = (4, 72);
    let numbers = Array::from_shape_fn((rows, columns), |(i, j)| i * columns + j);
    let check = |elements: &ArrayRef2<T>, numbers: &ArrayRef2<usize>, how| {
        assert_eq!(elements.shape(), numbers.shape(), "{how}");
        for (&number, &element) in numbers.iter().zip(elements) {
            assert!(
                read(number, element),
                "{how}: expected the element made from {number}"
            );
        }
    };
    let array: Array2<T> = numbers.mapv(&element);
    let parts = nd![.., 1..;2];
    let runs = nd![.., 3..];
    for slice in [nd![.., ..;1], parts, runs] {
        let (array, numbers) = (array.slice(slice), numbers.slice(slice));
        macro_rules! gather {
            ($([$($items:tt)*])*) => {$({
                let expected = numbers.at(s![$($items)*]);
                check(&array.gather(s![$($items)*]), &expected, stringify!($($items)*));
                let mut out = Array2::from_elem(expected.dim(), element(0));
                array.gather_into(s![$($items)*], &mut out);
                check(&out, &expected, stringify!($($items)*));
            })*};
        }
        gather! { [:, ::-1] [::-1, 1:] }
    }

    let new_numbers = numbers.mapv(|number| number + 1000);
    let new_elements = new_numbers.mapv(&element);
    for slice in [nd![.., ..;1], parts, runs] {
        let (mut into, mut expected) = (array.clone(), numbers.clone());
        {
            let (mut into, mut expected) = (into.slice_mut(slice), expected.slice_mut(slice));
            let (values, value_numbers) = (new_elements.slice(slice), new_numbers.slice(slice));
            // Each assignment leaves some elements unchanged. In this order, the values are an array of the same shape,
            // one element, a broadcast row, and an array that is assigned in reverse.
            into.set(s![:, 1:], values.slice(nd![.., 1..]));
            expected.set(s![:, 1:], value_numbers.slice(nd![.., 1..]));
            into.fill_at(s![:2, ::2], values[[0, 0]]);
            expected.fill_at(s![:2, ::2], value_numbers[[0, 0]]);
            into.set(s![1:3, :-1], values.slice(nd![0, 1..]));
            expected.set(s![1:3, :-1], value_numbers.slice(nd![0, 1..]));
            into.set(s![::-1, ::-2], values.slice(nd![.., ..;2]));
            expected.set(s![::-1, ::-2], value_numbers.slice(nd![.., ..;2]));
        }
        check(&into, &expected, "set");
    }
}

#[test]
fn structs_with_padding_survive_copies() {
    #[derive(Clone, Copy, PartialEq)]
    #[repr(C)]
    struct Padded(u8, u32);

    let element = |i: usize| Padded(i as u8, !i as u32);
    check(element, |i, padded| padded == element(i));
}

#[test]
fn tuples_survive_copies() {
    let element = |i: usize| (i as u8, i as u64);
    check(element, |i, pair| pair == element(i));
    let element = |i: usize| (i as u16, i as u16 ^ 7);
    check(element, |i, pair| pair == element(i));
}

#[test]
fn references_survive_copies() {
    let texts: Vec<String> = (0..100).map(|i| alloc::format!("{i}")).collect();
    check(|i| &texts[i % 100], |i, text| *text == texts[i % 100]);
    check(
        |i| texts[i % 100].as_str(),
        |i, text| text == texts[i % 100],
    );
}

#[test]
fn pointers_survive_copies() {
    let numbers: Vec<usize> = (0..100).collect();
    // SAFETY: the pointer points to one of the numbers, which live until the end of the test.
    #[expect(unsafe_code)]
    check(
        |i| &raw const numbers[i % 100],
        |i, pointer| unsafe { pointer.read() } == i % 100,
    );
}

#[test]
fn function_pointers_survive_copies() {
    let functions: [fn(usize) -> usize; 3] = [|x| x + 1, |x| 2 * x, |x| x ^ 1];
    check(|i| functions[i % 3], |i, f| f(40) == functions[i % 3](40));
}

#[test]
fn options_survive_copies() {
    let element = |i: usize| NonZero::new(i as u32 % 7);
    check(element, |i, option| option == element(i));
    let element = |i: usize| i.is_multiple_of(3).then_some(i as u16);
    check(element, |i, option| option == element(i));
    let texts = ["some", "texts"];
    let element = |i: usize| texts.get(i % 3);
    check(element, |i, option| option == element(i));
}

#[test]
fn uninitialized_elements_can_be_copied() {
    // SAFETY: only elements made from an odd number are read, and these elements are initialized.
    #[expect(unsafe_code)]
    check(
        |i| match i % 2 {
            0 => MaybeUninit::uninit(),
            _ => MaybeUninit::new(i as u32),
        },
        |i, x| i % 2 == 0 || unsafe { x.assume_init() } == i as u32,
    );
}
