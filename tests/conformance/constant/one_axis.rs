//! Checks that ranges and indices resolve to the same positions at compile time and at run time, on a single axis, for
//! all combinations of the lengths, bounds and steps below.

use slice_core::{AxisRange, DynSliceSpec, Item, s};

/// The lengths of the axis. There are only a few lengths and bounds, because the compiler needs several hundred
/// microseconds per case.
const LENGTHS: [usize; 3] = [0, 1, 4];

/// The bounds: none, the extremes of `i64`, and the numbers from -5 to 5, which extend beyond the longest axis on both
/// sides.
const BOUNDS: [Option<i64>; 14] = {
    let mut bounds = [None; 14];
    bounds[1] = Some(i64::MIN);
    bounds[2] = Some(i64::MAX);
    let mut i = 3;
    while i < bounds.len() {
        bounds[i] = Some(i as i64 - 8);
        i += 1;
    }
    bounds
};

/// The steps: none, the extremes of `i64`, and the numbers 1, 2 and 3 with both signs.
const STEPS: [Option<i64>; 9] = [
    None,
    Some(i64::MIN),
    Some(i64::MAX),
    Some(1),
    Some(-1),
    Some(2),
    Some(-2),
    Some(3),
    Some(-3),
];

const fn range(begin: Option<i64>, end: Option<i64>, step: Option<i64>, len: usize) -> AxisRange {
    let [range] = match (begin, end, step) {
        (None, None, None) => s![:].axis_ranges([len]),
        (Some(b), None, None) => s![b:].axis_ranges([len]),
        (None, Some(e), None) => s![:e].axis_ranges([len]),
        (Some(b), Some(e), None) => s![b:e].axis_ranges([len]),
        (None, None, Some(k)) => s![::k].axis_ranges([len]),
        (Some(b), None, Some(k)) => s![b::k].axis_ranges([len]),
        (None, Some(e), Some(k)) => s![:e:k].axis_ranges([len]),
        (Some(b), Some(e), Some(k)) => s![b:e:k].axis_ranges([len]),
    };
    range
}

/// The ranges computed by the compiler for every length, begin, end and step.
static RANGES: [[[[AxisRange; STEPS.len()]; BOUNDS.len()]; BOUNDS.len()]; LENGTHS.len()] = {
    let [first] = s![:0].axis_ranges([0]);
    let mut table = [[[[first; STEPS.len()]; BOUNDS.len()]; BOUNDS.len()]; LENGTHS.len()];
    let mut i = 0;
    while i < LENGTHS.len() * BOUNDS.len() * BOUNDS.len() * STEPS.len() {
        let (rest, k) = (i / STEPS.len(), i % STEPS.len());
        let (rest, e) = (rest / BOUNDS.len(), rest % BOUNDS.len());
        let (n, b) = (rest / BOUNDS.len(), rest % BOUNDS.len());
        table[n][b][e][k] = range(BOUNDS[b], BOUNDS[e], STEPS[k], LENGTHS[n]);
        i += 1;
    }
    table
};

#[test]
fn ranges_are_the_same_at_compile_time_and_at_run_time() {
    let mut cases = 0;
    for (len, table) in LENGTHS.into_iter().zip(&RANGES) {
        for (begin, table) in BOUNDS.iter().zip(table) {
            for (end, table) in BOUNDS.iter().zip(table) {
                for (step, &constant) in STEPS.iter().zip(table) {
                    let item = Item::Range {
                        begin: *begin,
                        end: *end,
                        step: step.unwrap_or(1),
                    };
                    let spec = DynSliceSpec::from_items([item.clone()])
                        .expect("a slice with one item should be valid");
                    let selection = spec
                        .resolve(&[len])
                        .expect("the range should be valid for every axis");
                    assert_eq!(selection.axes().unwrap(), [constant], "[{item}] of {len}");
                    cases += 1;
                }
            }
        }
    }
    assert_eq!(cases, 3 * 14 * 14 * 9);
}

/// The ranges computed by the compiler for the indices `-6..6` of an axis of length 6.
const INDICES: [AxisRange; 12] = {
    let [first] = s![-6].axis_ranges([6]);
    let mut ranges = [first; 12];
    let mut i = 1;
    while i < ranges.len() {
        [ranges[i]] = s![i as i64 - 6].axis_ranges([6]);
        i += 1;
    }
    ranges
};

#[test]
fn indices_are_the_same_at_compile_time_and_at_run_time() {
    for (index, constant) in (-6..6).zip(INDICES) {
        let selection = s![index]
            .resolve(&[6])
            .expect("the index should be in bounds");
        assert_eq!(selection.axes().unwrap(), [constant], "[{index}]");
    }
}
