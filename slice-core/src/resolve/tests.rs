//! Tests of selections built from steps or from axes.

use alloc::vec;
use alloc::vec::Vec;

use super::axis::AxisRange;
use super::selection::Selection;
use super::step::{OutputAxis, ResolvedStep};
use crate::error::SliceError;
use crate::s;

#[test]
fn selections_can_be_rebuilt_from_their_axes_or_steps() {
    let from_axes = |selection: &Selection| {
        let (shape, axes) = (selection.input_shape(), selection.axes().unwrap());
        Selection::from_axes(shape, axes.iter().copied(), selection.output_axes())
    };
    let from_steps = |selection: &Selection| {
        Selection::from_steps(selection.input_shape(), selection.resolved_steps())
    };
    let selections = [
        s![].resolve(&[]),
        s![0, newaxis, ::-2].resolve(&[4, 5]),
        s![..., 3:1, -1].resolve(&[2, 0, 7, 3]),
        s![newaxis, 2::3].resolve(&[isize::MAX as usize]),
    ];
    for selection in selections {
        let selection = selection.unwrap();
        assert_eq!(from_axes(&selection), Ok(selection.clone()));
        assert_eq!(from_steps(&selection), Ok(selection.clone()));
    }
    let first = s![newaxis, 1:].resolve(&[3]).unwrap();
    let emptied = first.compose(&s![:0].resolve(&[1, 2]).unwrap()).unwrap();
    assert_eq!(from_axes(&emptied), Ok(emptied.clone()));
    assert_eq!(from_steps(&emptied), Ok(emptied.clone()));
}

#[test]
fn resolved_steps_insert_new_axes_after_dropped_axes() {
    let selection = s![newaxis, 1, ::2, newaxis, -1].resolve(&[2, 5, 3]);
    let selection = selection.unwrap();
    let (one, range) = (ResolvedStep::Insert { len: 1 }, AxisRange::new(0, 2, 3));
    assert_eq!(
        selection.resolved_steps().collect::<Vec<_>>(),
        [
            ResolvedStep::Drop(1),
            one,
            ResolvedStep::Keep(range),
            ResolvedStep::Drop(2),
            one
        ]
    );
}

#[test]
fn from_steps_rejects_invalid_steps() {
    let whole = ResolvedStep::Keep(AxisRange::whole(2));
    let beyond_axis = SliceError::InvalidRange {
        axis: 1,
        start: 2,
        step: 1,
        len: 1,
        size: 2,
    };
    let three_steps = vec![whole; 3];
    for (steps, error) in [
        (
            vec![whole],
            SliceError::RankMismatch {
                expected: 2,
                actual: 1,
            },
        ),
        (
            three_steps,
            SliceError::RankMismatch {
                expected: 2,
                actual: 3,
            },
        ),
        (vec![whole, ResolvedStep::Drop(2)], beyond_axis),
    ] {
        assert_eq!(Selection::from_steps(&[2, 2], steps), Err(error));
    }
    let huge_shape = [usize::MAX, 2];
    let empty = ResolvedStep::Keep(AxisRange::new(0, 1, 0));
    assert!(Selection::from_steps(&huge_shape, [empty, whole]).is_err());
    let repeated = [ResolvedStep::Insert { len: usize::MAX }, whole];
    assert!(Selection::from_steps(&[2], repeated).is_err());
}

#[test]
fn from_axes_rejects_invalid_axes() {
    const MAX: usize = usize::MAX;
    let range = |start, step, len| AxisRange { start, step, len };
    let invalid_ranges = [
        (range(5, 1, 1), 5),
        (range(0, 1, 6), 5),
        (range(4, -1, 6), 5),
        (range(1, 2, 3), 5),
        (range(0, 0, 2), 5),
        (range(0, 1, MAX), 5),
        (range(0, isize::MIN, 2), 5),
        (range(MAX, isize::MAX, MAX), 5),
        (range(MAX, -1, 2), 5),
        (range(0, 1, 0), MAX),
    ];
    for (given, size) in invalid_ranges {
        let AxisRange { start, step, len } = given;
        let error = SliceError::InvalidRange {
            axis: 0,
            start,
            step,
            len,
            size,
        };
        let output = [OutputAxis::Input(0)];
        assert_eq!(Selection::from_axes(&[size], [given], &output), Err(error));
    }
    let two_ranges = [range(0, 1, 2), range(0, 1, 2)];
    for (output, axis) in [
        (&[OutputAxis::Input(0)][..], 1),
        (&[OutputAxis::Input(1)], 0),
        (&[OutputAxis::Input(1), OutputAxis::Input(0)], 0),
        (&[OutputAxis::Input(0), OutputAxis::Input(0)], 1),
        (
            &[
                OutputAxis::Input(0),
                OutputAxis::Input(1),
                OutputAxis::Input(2),
            ],
            2,
        ),
        (
            &[
                OutputAxis::Input(0),
                OutputAxis::Input(1),
                OutputAxis::Input(MAX),
            ],
            MAX,
        ),
    ] {
        let error = SliceError::InvalidOutputAxis { axis };
        assert_eq!(
            Selection::from_axes(&[2, 2], two_ranges, output),
            Err(error),
            "{output:?}"
        );
    }
    let new = [OutputAxis::New { len: 2 }];
    let none: [AxisRange; 0] = [];
    let repeated = Selection::from_axes(&[], none, &new).unwrap();
    assert_eq!(repeated.gather(&[7]), Ok(vec![7, 7]));
    assert!(!repeated.is_strided());
    assert!(Selection::from_axes(&[2], none, &[]).is_err());
}
