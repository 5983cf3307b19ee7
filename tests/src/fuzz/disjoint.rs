//! Checks that several slices of one array can be borrowed mutably at the same time if and only if they share no
//! element.

use std::collections::BTreeSet;

use arbitrary::Arbitrary;
use ndarray::{ArrayViewMutD, Ix3};
use slice_core::{DynSliceSpec, SliceError, StridedSliceExt, s};

use super::array::Memory;
use super::input::{BoundOrStep, SliceOfSmallArray};
use super::model::{self, Selected};

/// Three slices and the memory layout of their array. The array has the shape of the first `SliceOfSmallArray`; the
/// shapes of the other two are ignored.
#[derive(Debug, Arbitrary)]
pub struct Case {
    slices: [SliceOfSmallArray<400>; 3],
    memory: Memory,
    /// The bounds, steps and indices of the slices in `check_typed`.
    numbers: [BoundOrStep; 6],
}

/// Checks that overlapping slices are rejected, and that disjoint slices can be modified at the same time. Returns
/// `true` if the slices are disjoint.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(case: &Case) -> bool {
    let specs = case
        .slices
        .iter()
        .map(|slice| DynSliceSpec::from_items(slice.items.iter().cloned()));
    let Ok(specs) = specs.collect::<Result<Vec<_>, _>>() else {
        return false;
    };
    let mut array = case.memory.array(&case.slices[0].shape, |i| i);
    let mut view = array.view_mut();
    case.memory.change_layout(view.as_mut());

    check_typed(case, &mut view);
    let selected = case
        .slices
        .iter()
        .map(|slice| model::select(&slice.items, view.shape()));
    let Ok(selected) = selected.collect::<Result<Vec<_>, _>>() else {
        assert!(view.try_at_disjoint_mut(&specs[..]).is_err());
        return false;
    };
    let overlap = first_overlap(&selected);
    check_overlap(&specs, &selected, view.shape());

    let mut expected: Vec<u32> = view.iter().copied().collect();
    match view.try_at_disjoint_mut(&specs[..]) {
        Ok(mut views) => {
            assert_eq!(overlap, None);
            for (i, (slice, selected)) in views.iter_mut().zip(&selected).enumerate() {
                let increment = 1_000_000 * (i as u32 + 1);
                slice.iter_mut().for_each(|element| *element += increment);
                selected
                    .offsets
                    .iter()
                    .for_each(|&offset| expected[offset] += increment);
            }
            drop(views);
            assert!(view.iter().eq(&expected));
            true
        }
        Err(SliceError::Overlap { first, second, .. }) => {
            assert_eq!(overlap, Some((first, second)));
            false
        }
        Err(error) => panic!("unexpected error: {error}"),
    }
}

/// Returns the first pair of slices with a common element, if any. Pairs are ordered by their second slice.
fn first_overlap(selected: &[Selected]) -> Option<(usize, usize)> {
    let pairs =
        (0..selected.len()).flat_map(|second| (0..second).map(move |first| (first, second)));
    pairs
        .into_iter()
        .find(|&(a, b)| common_offset(&selected[a], &selected[b]).is_some())
}

/// Returns the offset of the first element that is selected by both slices, or `None` if there is none.
fn common_offset(one: &Selected, other: &Selected) -> Option<usize> {
    let one: BTreeSet<usize> = one.offsets.iter().copied().collect();
    other
        .offsets
        .iter()
        .copied()
        .filter(|offset| one.contains(offset))
        .min()
}

fn check_overlap(specs: &[DynSliceSpec], selected: &[Selected], shape: &[usize]) {
    for (one, one_selected) in specs.iter().zip(selected) {
        for (other, other_selected) in specs.iter().zip(selected) {
            let [one, other] = [one, other]
                .map(|spec| spec.resolve(shape).expect("the slice should fit the shape"));
            let position = one.overlap(&other).expect("the shapes should match");
            let offset = position.map(|position| {
                position
                    .iter()
                    .zip(shape)
                    .fold(0, |offset, (x, size)| offset * size + x)
            });
            assert_eq!(offset, common_offset(one_selected, other_selected));
        }
    }
}

/// Checks that typed slices (`s![]`) are disjoint if and only if the equivalent [`DynSliceSpec`]s are, and that the
/// errors are equal.
fn check_typed(case: &Case, view: &mut ArrayViewMutD<'_, u32>) {
    let Ok(mut view) = view.view_mut().into_dimensionality::<Ix3>() else {
        return;
    };
    let [a, b, c, d, e, f] = case.numbers.map(|number| number.0);
    macro_rules! check_pairs {
        ($($one:expr, $other:expr;)*) => { $( {
            let untyped = [$one.to_dyn(), $other.to_dyn()];
            let untyped = view.try_at_disjoint_mut(untyped).err();
            let mut typed = view.try_at_disjoint_mut(($one, $other));
            if let Ok((one, other)) = &mut typed {
                one.iter_mut().for_each(|element| *element += 1);
                other.iter_mut().for_each(|element| *element += 1);
            }
            assert_eq!(typed.err(), untyped);
        } )* };
    }
    check_pairs! {
        s![a:b:c], s![d:e:f];
        s![a:b, c], s![d::e, ..., f];
        s![a, ..., newaxis], s![newaxis, b:c:d, e];
        s![..., ::a], s![..., b::a];
    }
}
