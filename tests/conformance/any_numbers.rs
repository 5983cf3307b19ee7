//! Whatever the numbers, the lengths and the shape: resolving answers, in bounds, at once, and without more memory than
//! the result's rank needs.

use allocation_counter::measure;
use fastrand::Rng;
use slice_core::dialect::{mindspore, onnx, openvino, tensorflow};
use slice_core::{DynSliceSpec, Explanation, Item, Masks, Selection, SliceError};
use slice_tests::explain;

/// Any number, most often one near where meanings change.
fn number(rng: &mut Rng) -> i64 {
    let edge = *rng
        .choice(&[
            0,
            i64::MIN,
            i64::MAX,
            i64::from(i32::MIN),
            i64::from(i32::MAX),
        ])
        .expect("one of them");
    match rng.u8(..8) {
        0 => rng.i64(..),
        1 | 2 => edge.wrapping_add(rng.i64(-2..=2)),
        _ => rng.i64(-7..=7),
    }
}

fn numbers(rng: &mut Rng, len: usize) -> Vec<i64> {
    (0..len).map(|_| number(rng)).collect()
}

/// Numbers as many as entries; now and then not.
fn vector(rng: &mut Rng, entries: usize) -> Vec<i64> {
    let len = if rng.u8(..40) == 0 {
        rng.usize(..12)
    } else {
        entries
    };
    numbers(rng, len)
}

/// Strides, seldom with a zero among them.
fn strides(rng: &mut Rng, entries: usize) -> Vec<i64> {
    let mut strides = vector(rng, entries);
    for stride in &mut strides {
        if *stride == 0 && rng.u8(..20) > 0 {
            *stride = 1;
        }
    }
    strides
}

/// A mask with any value; most often one with few bits that name an entry.
fn mask(rng: &mut Rng, entries: usize) -> i64 {
    match rng.u8(..20) {
        0 => number(rng),
        1..8 => rng.i64(..) & rng.i64(..) & ((1 << entries.min(31)) - 1),
        _ => 0,
    }
}

/// A mask list with any elements of any number; most often zeros and ones for each entry.
fn mask_list(rng: &mut Rng, entries: usize) -> Vec<i64> {
    match rng.u8(..40) {
        0 => numbers(rng, entries),
        1..4 => vec![0; rng.usize(..12)],
        _ => (0..entries).map(|_| i64::from(rng.u8(..5) == 0)).collect(),
    }
}

/// A shape of up to 8 axes, some of them as long as numbers can be.
fn shape(rng: &mut Rng) -> Vec<usize> {
    let huge = rng.u8(..3) == 0;
    (0..rng.usize(..=8))
        .map(|_| match rng.u8(..10) {
            0 if huge => usize::MAX - rng.usize(..2),
            1 if huge => (isize::MAX as usize).wrapping_add(rng.usize(..2)),
            2 if huge => rng.usize(..),
            0 => 0,
            _ => rng.usize(1..7),
        })
        .collect()
}

/// How many entries an operation for this shape has; once in a while very many.
fn entry_count(rng: &mut Rng, shape: &[usize]) -> usize {
    match rng.u16(..400) {
        0 => rng.usize(..100_000),
        1..20 => rng.usize(..70),
        _ => rng.usize(..=shape.len() + 1),
    }
}

/// Checks one answer: `resolve` must not panic, and not need more than some words for each axis.
fn check(
    shape: &[usize],
    what: impl Fn() -> String,
    resolve: impl Fn() -> Result<Selection, SliceError>,
) -> bool {
    let mut answer = None;
    let memory = measure(|| answer = Some(resolve()));
    let answer = answer.expect("an answer");
    let output_rank = answer.as_ref().map_or(0, |ours| ours.output_shape().len());
    // At most seven words for an axis, in vectors that double. An error may come after as many axes as were met.
    let words = 2 * 8 * (shape.len() + output_rank.max(70));
    assert!(
        memory.bytes_max <= 8 * words as u64,
        "{} bytes for {}",
        memory.bytes_max,
        what()
    );
    let Ok(selection) = answer else { return false };
    assert_eq!(selection.input_shape(), shape);
    assert_eq!(selection.axes().len(), shape.len());
    for (range, &size) in selection.axes().iter().zip(shape) {
        let mut positions = range.positions();
        for position in positions.next().into_iter().chain(positions.next_back()) {
            assert!(position < size, "{range:?} of {size}: {}", what());
        }
    }
    assert_eq!(
        selection.len(),
        if selection.output_shape().contains(&0) {
            0
        } else {
            selection.output_shape().iter().product()
        }
    );
    true
}

/// Checks many answers and their explanations, and that enough of them are selections.
fn check_many<Op: std::fmt::Debug>(
    seed: u64,
    operation: impl Fn(&mut Rng, &[usize]) -> Op,
    resolve: impl Fn(&Op, &[usize]) -> Result<Selection, SliceError>,
    explain: impl Fn(&Op, &[usize]) -> Explanation,
) {
    const CASES: usize = 20_000;
    let mut rng = Rng::with_seed(seed);
    let mut selections = 0;
    for _ in 0..CASES {
        let shape = shape(&mut rng);
        let op = operation(&mut rng, &shape);
        let what = || format!("{op:?} of {shape:?}");
        selections += usize::from(check(&shape, what, || resolve(&op, &shape)));
        // A person reads them, so that some of the shorter ones will do.
        if rng.u8(..20) > 0 || what().len() > 1000 {
            continue;
        }
        if let Err(difference) = explain::check(&explain(&op, &shape), &resolve(&op, &shape)) {
            panic!("{}: {difference}", what());
        }
    }
    println!("{selections} of {CASES} are selections");
    assert!(selections >= CASES / 10, "only {selections} selections");
}

#[test]
fn tensorflow() {
    let operation = |rng: &mut Rng, shape: &[usize]| {
        let entries = entry_count(rng, shape);
        tensorflow::StridedSlice {
            begin: vector(rng, entries),
            end: vector(rng, entries),
            strides: strides(rng, entries),
            begin_mask: mask(rng, entries),
            end_mask: mask(rng, entries),
            ellipsis_mask: mask(rng, entries),
            new_axis_mask: mask(rng, entries),
            shrink_axis_mask: mask(rng, entries),
        }
    };
    check_many(
        1,
        operation,
        tensorflow::StridedSlice::resolve,
        tensorflow::StridedSlice::explain,
    );
}

#[test]
fn mindspore() {
    let operation = |rng: &mut Rng, shape: &[usize]| {
        let entries = entry_count(rng, shape);
        mindspore::StridedSlice {
            begin: vector(rng, entries),
            end: vector(rng, entries),
            strides: strides(rng, entries),
            begin_mask: mask(rng, entries),
            end_mask: mask(rng, entries),
            ellipsis_mask: mask(rng, entries),
            new_axis_mask: mask(rng, entries),
            shrink_axis_mask: mask(rng, entries),
        }
    };
    check_many(
        2,
        operation,
        mindspore::StridedSlice::resolve,
        mindspore::StridedSlice::explain,
    );
}

#[test]
fn openvino() {
    let operation = |rng: &mut Rng, shape: &[usize]| {
        let entries = entry_count(rng, shape);
        openvino::StridedSlice {
            begin: vector(rng, entries),
            end: vector(rng, entries),
            strides: (rng.u8(..5) > 0).then(|| strides(rng, entries)),
            begin_mask: mask_list(rng, entries),
            end_mask: mask_list(rng, entries),
            new_axis_mask: mask_list(rng, entries),
            shrink_axis_mask: mask_list(rng, entries),
            ellipsis_mask: mask(rng, entries).checked_ilog2().map_or(vec![], |bit| {
                let mut marks = vec![0; bit as usize + 1];
                marks[bit as usize] = 1;
                marks
            }),
        }
    };
    check_many(
        3,
        operation,
        openvino::StridedSlice::resolve,
        openvino::StridedSlice::explain,
    );
}

#[test]
fn onnx() {
    let operation = |rng: &mut Rng, shape: &[usize]| {
        let entries = entry_count(rng, shape);
        let opset = *rng.choice(&[0, 1, 10, 11, 13, u32::MAX]).expect("one");
        let rank = shape.len() as i64;
        let axes = if rng.u8(..10) == 0 {
            vector(rng, entries)
        } else {
            let mut axes: Vec<i64> = (0..rank).collect();
            rng.shuffle(&mut axes);
            axes.truncate(entries);
            axes.iter()
                .map(|&axis| if rng.bool() { axis } else { axis - rank })
                .collect()
        };
        onnx::Slice {
            opset,
            starts: vector(rng, entries),
            ends: vector(rng, entries),
            axes: rng.bool().then_some(axes),
            steps: (rng.bool() && opset >= 10).then(|| strides(rng, entries)),
        }
    };
    check_many(4, operation, onnx::Slice::resolve, onnx::Slice::explain);
    check_many(
        5,
        operation,
        onnx::Slice::resolve_onnxruntime,
        onnx::Slice::explain_onnxruntime,
    );
}

#[test]
fn python() {
    let operation = |rng: &mut Rng, shape: &[usize]| {
        let entries = entry_count(rng, shape).min(64);
        let masks = Masks {
            begin: mask(rng, entries) as u64,
            end: mask(rng, entries) as u64,
            ellipsis: mask(rng, entries) as u64,
            new_axis: mask(rng, entries) as u64,
            shrink_axis: mask(rng, entries) as u64,
        };
        let (begin, end) = (vector(rng, entries), vector(rng, entries));
        let strides = strides(rng, entries);
        DynSliceSpec::new(&begin, &end, &strides, masks).unwrap_or_else(|_| {
            DynSliceSpec::from_items([Item::Index(number(rng)), Item::NewAxis]).expect("two items")
        })
    };
    check_many(6, operation, DynSliceSpec::resolve, DynSliceSpec::explain);
}
