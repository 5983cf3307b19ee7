//! Checks that lists of extreme lengths lead to the correct result or an error, without a panic, an abort or a huge
//! allocation.

use std::hash::{BuildHasher, RandomState};

use slice_core::{
    AxisPositions, AxisRange, ListedAxes, OutputAxis, ResolvedStep, Selection, SliceError, s,
};

use super::extreme_sizes::{MAX_AXIS_LENGTH, TOO_MANY_TO_VISIT};

/// Runs that repeat position 0, or that list the positions of a long axis from both ends.
fn runs() -> [(usize, Vec<AxisRange>); 3] {
    let half = TOO_MANY_TO_VISIT / 2;
    [
        (1, vec![AxisRange::new(0, 0, MAX_AXIS_LENGTH)]),
        (1, vec![AxisRange::new(0, 0, half), AxisRange::new(0, 0, 3)]),
        (
            TOO_MANY_TO_VISIT,
            vec![
                AxisRange::new(half, 1, half),
                AxisRange::new(half - 1, -1, half),
            ],
        ),
    ]
}

#[test]
fn selections_of_long_runs_are_created_compared_and_composed() {
    for (size, runs) in runs() {
        let positions = || AxisPositions::from_runs(runs.clone());
        let len = positions().len();
        let listed = ListedAxes::from_positions(1, &[len], positions()).unwrap();
        let selection = Selection::from_steps(&[size], [ResolvedStep::List(&listed)]).unwrap();
        let axis = [OutputAxis::Input(0)];
        let other = Selection::from_axes(&[size], [positions()], &axis).unwrap();
        assert!(selection == other && selection.len() == len);
        let hasher = RandomState::new();
        assert_eq!(hasher.hash_one(&selection), hasher.hash_one(&other));
        let last = s![-1].resolve(&[len]).unwrap();
        let end = runs.last().map(|run| run.position(run.len() - 1)).unwrap();
        let composed = selection.compose(&last).unwrap();
        assert_eq!(composed, s![end as i64].resolve(&[size]).unwrap());
        let all = s![:].resolve(&[len]).unwrap();
        let composed = other.compose(&all);
        assert!(composed.is_err_and(|error| matches!(error, SliceError::Allocation { .. })));
        let outside = Selection::from_steps(&[0], [ResolvedStep::List(&listed)]);
        assert!(outside.is_err_and(|error| matches!(error, SliceError::InvalidRange { .. })));
    }
}

#[test]
fn equal_positions_in_different_runs_are_equal() {
    let selection = |runs: &[AxisRange]| {
        let positions = AxisPositions::from_runs(runs.iter().copied());
        Selection::from_axes(&[9], [positions], &[OutputAxis::Input(0)]).unwrap()
    };
    let (up, down) = (AxisRange::new(0, 1, 4), AxisRange::new(5, -1, 2));
    let one = |position| AxisRange::new(position, 1, 1);
    let equal = [
        selection(&[up, down]),
        selection(&[AxisRange::new(0, 1, 3), one(3), down]),
        selection(&[one(0), AxisRange::new(1, 1, 3), one(5), one(4)]),
    ];
    let different = [
        selection(&[up, one(5), one(5)]),
        selection(&[AxisRange::new(0, 1, 3), one(4), down]),
        selection(&[up, AxisRange::new(5, 1, 2)]),
    ];
    let hasher = RandomState::new();
    for one in &equal {
        for other in &equal {
            assert!(one == other && hasher.hash_one(one) == hasher.hash_one(other));
        }
        for other in &different {
            assert!(one != other);
        }
    }
}
