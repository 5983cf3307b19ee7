//! Compares copies made with a `StaticPlan` with those made by a `Selection`. The arrays are small, so that the tests
//! can also run under Miri.

use alloc::vec::Vec;

use super::StaticPlan;
use super::fixed::elements;
use crate::s;

type Input = [[[u16; 4]; 3]; 2];

const INPUT: Input = [
    [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]],
    [[12, 13, 14, 15], [16, 17, 18, 19], [20, 21, 22, 23]],
];

/// Checks that `gather_array` and each method of `StaticPlan` give the same result as a `Selection` of `INPUT`.
macro_rules! agree {
    ([$($items:tt)*] => $output:ty, $len:literal) => {{
        const PLAN: StaticPlan<Input, $output> = s![$($items)*].static_plan();
        let selection = s![$($items)*].resolve(&[2, 3, 4]).unwrap();
        let flat = elements(&INPUT);
        let expected = selection.gather(flat).unwrap();

        let array: [u16; $len] = s![$($items)*].gather_array(flat, [2, 3, 4]);
        assert_eq!(array[..], expected);
        let mut gathered = PLAN.gather(&INPUT);
        assert_eq!(elements(&gathered), expected);
        PLAN.gather_into(&[[[99; 4]; 3]; 2], &mut gathered);
        assert_eq!(elements(&gathered), [99; $len]);

        let mut into = INPUT;
        PLAN.scatter(&gathered, &mut into);
        let mut into_flat = flat.to_vec();
        selection.scatter(&[99; $len], &mut into_flat).unwrap();
        assert_eq!(elements(&into), into_flat);
    }};
}

#[test]
fn static_copies_agree_with_selections() {
    agree!([..., ::-1] => Input, 24);
    agree!([::-1, ::-1, ::-1] => Input, 24);
    agree!([1, 1:, 1:3] => [[u16; 2]; 2], 4);
    agree!([..., newaxis, :-3:-1] => [[[[u16; 2]; 1]; 3]; 2], 12);
    agree!([-1, -1, -1] => u16, 1);
    agree!([:, 3:, :] => [[[u16; 4]; 0]; 2], 0);
}

/// The slice needs more than `INNER_LOOPS` nested loops, because no two of its axes can be merged.
#[test]
fn arrays_with_more_axes_than_inner_loops_are_copied() {
    let spec = s![::2, ::2, ::2, ::2, ::2, ::2, ::2, ::-2];
    let data: Vec<u16> = (0..3_u16.pow(8)).collect();
    let copied: [u16; 256] = spec.gather_array(&data, [3; 8]);
    assert_eq!(
        copied[..],
        spec.resolve(&[3; 8]).unwrap().gather(&data).unwrap()
    );
}

/// Copies references, zero-sized elements, and elements that contain padding.
#[test]
fn elements_of_any_copy_type_are_copied() {
    const PADDED: [(u8, u32); 2] = s![::-1].gather_array(&[(1, 2), (3, 4)], [2]);
    assert_eq!(PADDED, [(3, 4), (1, 2)]);
    const NAMES: [[&str; 1]; 2] = s![::-1, 1:].gather_nested(&[["a", "b"], ["c", "d"]]);
    assert_eq!(NAMES, [["d"], ["b"]]);
    const NOTHING: [(); 3] = s![1:].gather_array(&[(); 4], [4]);
    assert_eq!(NOTHING.len(), 3);
}
