//! Compares slices of one short axis with a separate implementation of Python's `slice.indices`. The bounds, steps
//! and indices are small or extreme numbers.

use slice_core::{DynSliceSpec, Item};

/// Returns the positions selected by `begin:end:step` on an axis of length `len`. Follows Python's documentation of
/// slices, but calculates with 128-bit numbers, which cannot overflow, and steps through the positions instead of
/// computing their number.
fn python(begin: Option<i64>, end: Option<i64>, step: Option<i64>, len: usize) -> Vec<usize> {
    let len = len as i128;
    let step = i128::from(step.unwrap_or(1));
    // A negative bound is relative to the end of the axis. A bound that is still out of range is replaced by the
    // nearest valid bound.
    let bound = |value: Option<i64>, default: i128| match value {
        None => default,
        Some(x) => {
            let x = if x < 0 {
                i128::from(x) + len
            } else {
                i128::from(x)
            };
            if step > 0 {
                x.max(0).min(len)
            } else {
                x.max(-1).min(len - 1)
            }
        }
    };
    let (mut current, limit) = if step > 0 {
        (bound(begin, 0), bound(end, len))
    } else {
        (bound(begin, len - 1), bound(end, -1))
    };
    let mut positions = Vec::new();
    while (step > 0 && current < limit) || (step < 0 && current > limit) {
        positions.push(usize::try_from(current).expect("the position should not be negative"));
        current += step;
    }
    positions
}

/// Returns all bounds that the tests combine.
fn bounds() -> Vec<Option<i64>> {
    let small_bounds = (-7..=7).map(Some);
    [None, Some(i64::MIN), Some(i64::MAX)]
        .into_iter()
        .chain(small_bounds)
        .collect()
}

/// Returns all steps that the tests combine.
fn steps() -> Vec<Option<i64>> {
    let small_steps = [1, 2, 3, 7].into_iter().flat_map(|s| [Some(s), Some(-s)]);
    [None, Some(i64::MIN), Some(i64::MAX)]
        .into_iter()
        .chain(small_steps)
        .collect()
}

#[test]
fn every_range_agrees_with_python() {
    let mut cases = 0;
    for len in 0..=6 {
        for begin in bounds() {
            for end in bounds() {
                for step in steps() {
                    let item = Item::Range {
                        begin,
                        end,
                        step: step.unwrap_or(1),
                    };
                    let spec = DynSliceSpec::from_items([item.clone()])
                        .expect("a slice with one item should be valid");
                    let selection = spec
                        .resolve(&[len])
                        .expect("the range should be valid for every axis");
                    let expected = python(begin, end, step, len);
                    let case = format!("[{item}] of {len}");
                    assert_eq!(selection.output_shape(), [expected.len()], "{case}");
                    assert_eq!(
                        selection.axes().unwrap()[0].positions().collect::<Vec<_>>(),
                        expected,
                        "{case}"
                    );
                    assert_eq!(selection.indices().collect::<Vec<_>>(), expected, "{case}");
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(cases, 7 * 18 * 18 * 11);
}

#[test]
fn every_index_agrees_with_python() {
    for len in 0..=6_i64 {
        for index in bounds().into_iter().flatten() {
            let spec = DynSliceSpec::from_items([Item::Index(index)])
                .expect("a slice with one item should be valid");
            let ours = spec.resolve(&[len as usize]);
            if (-len..len).contains(&index) {
                let position = if index < 0 { index + len } else { index };
                assert_eq!(
                    ours.expect("the index should be in bounds")
                        .indices()
                        .collect::<Vec<_>>(),
                    [position as usize]
                );
            } else {
                let error = ours
                    .expect_err("the index should be out of bounds")
                    .to_string();
                let numpy = format!("index {index} is out of bounds for axis 0 with size {len}");
                assert!(error.starts_with(&numpy), "{error}");
            }
        }
    }
}
