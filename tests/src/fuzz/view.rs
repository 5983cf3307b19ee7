//! Checks views of ndarray arrays, with any slice and any memory layout.

use std::fmt::Debug;

use arbitrary::Arbitrary;
use ndarray::{ArrayD, ArrayView3, ArrayViewD, Ix3};
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt, StridedSliceMove, s};

use super::array::Memory;
use super::input::{BoundOrStep, SliceOfSmallArray};
use super::model::{self, Selected};
use crate::kind;

/// A slice, and the memory layout of its array. `element_type` selects one of several types of elements.
#[derive(Debug, Arbitrary)]
pub struct Case {
    element_type: u8,
    memory: Memory,
    /// Determines the length of an axis of repeated elements that is added before the first axis, if any.
    broadcast: Option<u8>,
    slice: SliceOfSmallArray<600>,
    /// The bounds, steps and indices of the slices in `check_typed`.
    numbers: [BoundOrStep; 6],
}

/// Checks that a view contains the elements selected by the model, and that writing through the view changes only these
/// elements. Returns `true` if any element is selected.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let mut array = case.memory.array(&case.slice.shape, |i| i);
    check_mut(case, &mut array);
    match case.element_type % 6 {
        0 => case.with_view(|i| i as u8, |view| check_copy(case, view)),
        1 => case.with_view(|i| i as u16, |view| check_copy(case, view)),
        2 => case.with_view(|i| [i as u8, 1, 2], |view| check_copy(case, view)),
        3 => case.with_view(|i| u64::from(i) << 20, |view| check_copy(case, view)),
        4 => case.with_view(|i| [i, 1, 2, 3], |view| check_copy(case, view)),
        _ => case.with_view(|_| (), |view| check_copy(case, view)),
    };
    case.with_view(
        |i| i,
        |view| check_view(case, view) && check_copy(case, view),
    )
}

impl Case {
    /// Calls `check` with a view of an array that has the elements `element(0)`, `element(1)`, and so on.
    fn with_view<T>(
        &self,
        element: impl Fn(u32) -> T,
        check: impl Fn(&ArrayViewD<'_, T>) -> bool,
    ) -> bool {
        let array = self.memory.array(&self.slice.shape, element);
        let mut view = array.view();
        self.memory.change_layout(view.as_mut());
        match self.broadcast {
            None => check(&view),
            Some(len) => {
                let mut longer = view.shape().to_vec();
                longer.insert(0, usize::from(len % 8) + 1);
                check(
                    &view
                        .broadcast(longer)
                        .expect("the shapes should be broadcastable"),
                )
            }
        }
    }
}

/// Checks that a copy contains the elements of the view, in C order.
fn check_copy<T: Copy + PartialEq + Debug>(case: &Case, view: &ArrayViewD<'_, T>) -> bool {
    let Ok(spec) = DynSliceSpec::from_items(case.slice.items.iter().cloned()) else {
        return false;
    };
    let sliced = view.try_at(&spec);
    let copy = view.try_gather(&spec);
    assert_eq!(
        copy.as_ref().map(|copy| copy.view()),
        sliced.as_ref().map(|view| view.view())
    );
    copy.is_ok_and(|copy| {
        assert!(copy.is_standard_layout());
        !copy.is_empty()
    })
}

fn check_view(case: &Case, view: &ArrayViewD<'_, u32>) -> bool {
    if let Ok(view) = view.view().into_dimensionality::<Ix3>() {
        check_typed(case, &view);
    }
    let Ok(spec) = DynSliceSpec::from_items(case.slice.items.iter().cloned()) else {
        return false;
    };
    let sliced = view.try_at(&spec);
    compare(
        &sliced,
        view,
        &model::select(&case.slice.items, view.shape()),
    );
    assert_eq!(view.view().try_at_move(&spec), sliced);
    sliced.is_ok()
}

fn compare(
    sliced: &Result<ArrayViewD<'_, u32>, SliceError>,
    base: &ArrayViewD<'_, u32>,
    expected: &Result<Selected, &'static str>,
) {
    match (sliced, expected) {
        (Ok(sliced), Ok(expected)) => {
            assert_eq!(sliced.shape(), expected.shape);
            let elements: Vec<u32> = base.iter().copied().collect();
            assert!(
                sliced
                    .iter()
                    .eq(expected.offsets.iter().map(|&offset| &elements[offset]))
            );
            for (index, &element) in sliced.indexed_iter() {
                assert_eq!(sliced.get(index), Some(&element));
            }
        }
        (Err(error), Err(expected)) => assert_eq!(kind(error), *expected),
        (sliced, expected) => panic!("the view is {sliced:?}, expected {expected:?}"),
    }
}

/// Checks that a typed slice (`s![]`), the same slice with erased kinds, and the equivalent [`DynSliceSpec`] give the
/// same result.
fn check_typed(case: &Case, view: &ArrayView3<'_, u32>) {
    let [a, b, c, d, e, f] = case.numbers.map(|number| number.0);
    macro_rules! check_slices {
        ($([$($items:tt)*])*) => { $(
            let (typed, untyped) = (s![$($items)*], s![$($items)*].to_dyn());
            let sliced = view.try_at(typed).map(|view| view.into_dyn());
            assert_eq!(sliced, view.try_at(&untyped), "{untyped}");
            assert_eq!(view.try_at(typed.erase()), sliced, "{untyped}");
        )* };
    }
    check_slices! {
        []
        [a]
        [a:b:c]
        [a:b, c, d::e]
        [..., a]
        [a, ..., b:c]
        [newaxis, a:b, ..., newaxis, ::c, newaxis]
        [a:b:c, d:e:f, ::-1]
        [a, newaxis, b, newaxis, c]
        [::a, ::b, ::c, ...]
    }
}

/// Checks that writing through a view modifies each selected element exactly once, and no other element.
fn check_mut(case: &Case, array: &mut ArrayD<u32>) {
    let Ok(spec) = DynSliceSpec::from_items(case.slice.items.iter().cloned()) else {
        return;
    };
    let mut view = array.view_mut();
    case.memory.change_layout(view.as_mut());
    let mut expected: Vec<u32> = view.iter().copied().collect();
    if let Ok(selected) = model::select(&case.slice.items, view.shape()) {
        for offset in selected.offsets {
            expected[offset] += 1_000_000;
        }
    }
    if let Ok(mut sliced) = view.try_at_mut(&spec) {
        sliced.iter_mut().for_each(|element| *element += 1_000_000);
    }
    assert!(view.iter().eq(&expected));
}
