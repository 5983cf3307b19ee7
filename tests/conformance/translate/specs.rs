//! Without a shape: the same selection for every shape, and an error for every shape that Python refuses.

use super::*;

/// A spec that may have huge numbers, and one shape that it was made for.
fn spec_and_shape(rng: &mut Rng) -> (DynSliceSpec, Vec<usize>) {
    let shape = generate::shape(rng);
    let spec = generate::spec(rng, &shape);
    match rng.u8(..4) {
        0 => (generate::with_extremes(rng, &spec), shape),
        _ => (spec, shape),
    }
}

/// The shape itself and others near it, of this rank if one is given.
fn shapes(rng: &mut Rng, shape: &[usize], same_rank: bool) -> Vec<Vec<usize>> {
    let mut shapes = vec![shape.to_vec()];
    for _ in 0..8 {
        let mut other: Vec<usize> = shape.iter().map(|_| rng.usize(0..=5)).collect();
        if !same_rank {
            match rng.u8(..4) {
                0 => other.push(rng.usize(0..=5)),
                1 => drop(other.pop()),
                _ => {}
            }
        }
        shapes.push(other);
    }
    shapes
}

/// Checks that both select the same of each shape, or both are errors.
fn check<E: std::fmt::Debug>(
    spec: &DynSliceSpec,
    shapes: &[Vec<usize>],
    op: &dyn std::fmt::Debug,
    resolve: impl Fn(&[usize]) -> Result<Selection, E>,
) {
    for shape in shapes {
        match (spec.resolve(shape), resolve(shape)) {
            (Ok(python), Ok(ours)) => assert_eq!(ours, python, "{spec} of {shape:?}: {op:?}"),
            (Err(_), Err(_)) => {}
            (python, ours) => panic!("{spec} of {shape:?}: {python:?}, but {ours:?} by {op:?}"),
        }
    }
}

#[test]
fn every_translation_is_exact_for_every_shape() {
    let mut rng = Rng::with_seed(1);
    let mut count = Count::default();
    for _ in 0..10_000 {
        let (spec, shape) = spec_and_shape(&mut rng);
        let near = shapes(&mut rng, &shape, false);
        match tensorflow::StridedSlice::from_spec(&spec) {
            Ok(found) => {
                check(&spec, &near, &found.op, |shape| found.op.resolve(shape));
                assert_eq!(found.op.to_spec(), Ok(spec.clone()), "there and back");
                count.add("TensorFlow");
            }
            Err(error) => count.refusal("TensorFlow", &error),
        }
        match openvino::StridedSlice::from_spec(&spec) {
            Ok(found) => {
                check(&spec, &near, &found.op, |shape| found.op.resolve(shape));
                let back = found.op.to_spec().expect("there is a spec");
                check(&spec, &near, &back, |shape| back.resolve(shape));
                count.add("OpenVINO");
            }
            Err(error) => count.refusal("OpenVINO", &error),
        }
        match mindspore::StridedSlice::from_spec(&spec) {
            Ok(found) => {
                check(&spec, &near, &found.op, |shape| found.op.resolve(shape));
                let back = found.op.to_spec().expect("there is a spec");
                check(&spec, &near, &back, |shape| back.resolve(shape));
                count.add("MindSpore");
            }
            Err(error) => count.refusal("MindSpore", &error),
        }
        let opset = *rng.choice(&[1, 10, 11, 13]).expect("one");
        let near = shapes(&mut rng, &shape, true);
        match OnnxPlan::from_spec(&spec, shape.len(), opset) {
            Ok(found) => {
                let plan = &found.op;
                check(&spec, &near, plan, |shape| plan.resolve(shape));
                for (shape, slice) in near.iter().zip(std::iter::repeat(&plan.slice)) {
                    let Some(slice) = slice else { continue };
                    let runtime = slice.resolve_onnxruntime(shape);
                    assert_eq!(runtime, slice.resolve(shape), "{slice:?} of {shape:?}");
                }
                count.add("ONNX");
            }
            Err(error) => count.refusal("ONNX", &error),
        }
    }
    count.report(&[
        ("TensorFlow", 10_000),
        ("OpenVINO", 7_000),
        ("MindSpore", 2_000),
        ("ONNX", 5_000),
        ("OpenVINO refused: ReverseBegin", 500),
        ("MindSpore refused: SpareEntry", 2_000),
        ("ONNX refused: NoSteps", 500),
    ]);
}

/// What a range selects of axes of these sizes, by Python's reading of a spec or by a system's.
fn behaviour<E: std::fmt::Debug>(
    resolve: impl Fn(&[usize]) -> Result<Selection, E>,
) -> Vec<Selection> {
    let longest = isize::MAX as usize;
    let sizes = (0..=24).chain(longest - 9..=longest);
    let selected = sizes.map(|size| resolve(&[size]).expect("one range"));
    selected.collect()
}

/// A range as OpenVINO's and ONNX's own reading of the numbers has it.
fn naive(begin: Option<i64>, end: Option<i64>, stride: i64) -> openvino::StridedSlice {
    openvino::StridedSlice {
        begin: vec![begin.unwrap_or(0)],
        end: vec![end.unwrap_or(0)],
        strides: Some(vec![stride]),
        begin_mask: vec![i64::from(begin.is_none())],
        end_mask: vec![i64::from(end.is_none())],
        ..openvino::StridedSlice::default()
    }
}

/// All ranges with bounds up to this one, or as near to the lowest number, and strides half as long.
fn ranges(bounds: i64) -> impl Iterator<Item = (Option<i64>, Option<i64>, i64)> {
    let strides = bounds / 2 + 1;
    let far = (i64::MIN..i64::MIN + strides).chain([i64::MAX]);
    let bounds = (-bounds..=bounds)
        .chain(far.clone())
        .map(Some)
        .chain([None]);
    let strides = (-strides..=strides)
        .filter(|&stride| stride != 0)
        .chain(far);
    let ends = bounds.clone();
    bounds.flat_map(move |begin| {
        let strides = strides.clone();
        let ends = ends.clone();
        ends.flat_map(move |end| strides.clone().map(move |stride| (begin, end, stride)))
    })
}

/// A range is translated if any range of the other system selects the same of every axis, and refused otherwise; axes of
/// up to `i64::MAX` elements.
#[cfg(target_pointer_width = "64")]
#[test]
fn every_refused_range_has_no_equal() {
    // Any way to write what one of the ranges below selects is among these.
    let python: HashSet<Vec<Selection>> = ranges(7)
        .map(|(begin, end, stride)| {
            let item = Item::Range { begin, end, stride };
            let spec = DynSliceSpec::from_items([item]).expect("one item");
            behaviour(|shape| spec.resolve(shape))
        })
        .collect();
    let openvino: HashSet<Vec<Selection>> = ranges(7)
        .map(|(begin, end, stride)| {
            let op = naive(begin, end, stride);
            behaviour(|shape| op.resolve(shape))
        })
        .collect();
    let mut count = Count::default();
    for (begin, end, stride) in ranges(4) {
        let item = Item::Range { begin, end, stride };
        let spec = DynSliceSpec::from_items([item]).expect("one item");
        let meant = behaviour(|shape| spec.resolve(shape));
        let op = openvino::StridedSlice::from_spec(&spec);
        let plan = OnnxPlan::from_spec(&spec, 1, 13);
        assert_eq!(op.is_ok(), openvino.contains(&meant), "{spec}: {op:?}");
        assert_eq!(plan.is_ok(), openvino.contains(&meant), "{spec}: {plan:?}");
        if let (Ok(op), Ok(plan)) = (&op, &plan) {
            assert_eq!(behaviour(|shape| op.op.resolve(shape)), meant, "{spec}");
            assert_eq!(behaviour(|shape| plan.op.resolve(shape)), meant, "{spec}");
        }
        count.add(if op.is_ok() { "translated" } else { "refused" });

        let op = naive(begin, end, stride);
        let meant = behaviour(|shape| op.resolve(shape));
        let back = op.to_spec();
        assert_eq!(back.is_ok(), python.contains(&meant), "{op:?}: {back:?}");
        if let Ok(back) = &back {
            assert_eq!(behaviour(|shape| back.resolve(shape)), meant, "{op:?}");
        }
        count.add(if back.is_ok() {
            "read back"
        } else {
            "not read"
        });
    }
    count.report(&[
        ("refused", 30),
        ("translated", 1_500),
        ("read back", 1_500),
        ("not read", 30),
    ]);
}
