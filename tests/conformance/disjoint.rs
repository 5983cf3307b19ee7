//! Checks that several mutable slices of one array are rejected if and only if two of the slices share an element.

use std::collections::BTreeSet;

use fastrand::Rng;
use ndarray::{Array1, Array2, ArrayD, IxDyn, array};
use slice_core::{SliceError, StridedSliceExt, s};
use slice_tests::generate;

#[test]
fn only_overlapping_slices_are_rejected() {
    let mut rng = Rng::with_seed(11);
    let (mut disjoint_groups, mut overlapping_groups) = (0, 0);
    for _ in 0..20_000 {
        let shape = generate::shape(&mut rng);
        let specs: [_; 3] = std::array::from_fn(|_| generate::spec(&mut rng, &shape));
        let selected_offsets = specs.each_ref().map(|spec| {
            spec.resolve(&shape)
                .expect("the slice should fit the shape")
                .indices()
                .collect::<BTreeSet<_>>()
        });
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let common = pairs.map(|(i, j)| {
            selected_offsets[i]
                .intersection(&selected_offsets[j])
                .next()
                .copied()
        });
        let mut array = ArrayD::from_elem(IxDyn(&shape), 0);
        match array.try_at_disjoint_mut(specs.each_ref()) {
            Ok(views) => {
                assert_eq!(common, [None; 3], "{specs:?} of {shape:?}");
                for (number, mut view) in views.into_iter().enumerate() {
                    view += number + 1;
                }
                let expected = (0..array.len()).map(|i| {
                    selected_offsets
                        .iter()
                        .position(|offsets| offsets.contains(&i))
                        .map_or(0, |index| index + 1)
                });
                assert!(array.iter().copied().eq(expected), "{specs:?} of {shape:?}");
                disjoint_groups += 1;
            }
            Err(SliceError::Overlap {
                first,
                second,
                position,
            }) => {
                let pair = pairs
                    .iter()
                    .position(|&pair| pair == (first, second))
                    .expect("`first` should be less than `second`");
                let offset = position
                    .iter()
                    .zip(&shape)
                    .fold(0, |offset, (i, size)| offset * size + i);
                assert_eq!(common[pair], Some(offset), "{specs:?} of {shape:?}");
                overlapping_groups += 1;
            }
            Err(error) => panic!("{specs:?} of {shape:?}: {error}"),
        }
    }
    assert!(
        disjoint_groups > 2000 && overlapping_groups > 2000,
        "too few cases: {disjoint_groups} disjoint and {overlapping_groups} overlapping groups of slices"
    );
}

#[test]
fn disjoint_slices_may_have_different_ranks() {
    let mut a = Array2::<i32>::zeros((4, 6));
    let (mut corner, mut row, mut column, mut rest) =
        a.at_disjoint_mut((s![0, 0], s![0, 1:], s![1:, 0], s![newaxis, 1:, 1:]));
    corner.fill(1);
    row.fill(2);
    column.fill(3);
    assert_eq!(rest.shape(), [1, 3, 5]);
    rest.fill(4);
    assert_eq!(a.at(s![:2, :2]), array![[1, 2], [3, 4]]);
    assert_eq!(a.sum(), 1 + 5 * 2 + 3 * 3 + 15 * 4);
}

#[test]
fn disjoint_slices_can_be_given_at_run_time() {
    let mut a = Array1::from_elem(7, 0);
    let specs: Vec<_> = ["::3", "1::3", "2::3"]
        .map(|text| text.parse().expect("the string should be a slice"))
        .into();
    let specs: &[slice_core::DynSliceSpec] = &specs;
    for (number, mut view) in a.at_disjoint_mut(specs).into_iter().enumerate() {
        view.fill(number);
    }
    assert_eq!(a, array![0, 1, 2, 0, 1, 2, 0]);
    assert!(a.at_disjoint_mut(&specs[..0]).is_empty());
}

#[test]
fn empty_slices_overlap_nothing() {
    let mut a = array![1, 2, 3];
    let (end, all, start) = a.at_disjoint_mut((s![3:], s![:], s![0:0]));
    assert_eq!((end.len(), all.len(), start.len()), (0, 3, 0));
}

#[test]
fn overlap_errors_name_both_slices_and_a_common_element() {
    let mut a = Array2::<u8>::zeros((4, 6));
    let error = a
        .try_at_disjoint_mut((s![0], s![1:, ::2], s![3, -1:0:-1]))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "slices 2 and 3 overlap: both select element (3,2); simultaneous mutable slices must be disjoint"
    );
}
