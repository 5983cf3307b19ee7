//! Prints operations that slice-systems emits, one JSON object per line. `emitted_ops.py` runs each operation on the system
//! it is for, such as TensorFlow or ONNX.
//!
//! `cargo run -p slice-tests --example emitted_ops`

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use fastrand::Rng;
use serde::Serialize;
use serde_json::json;
use slice_core::{DynSliceSpec, Selection};
use slice_systems::Operation;
use slice_systems::onnx::OnnxPlan;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{
    coreml, litert, mindspore, openvino, stablehlo, tensorflow, tensorstore, torch,
};
use slice_tests::generate;

/// The number of operations that are translated for each system from specs, and again from selections.
const OPERATIONS: usize = 2000;

/// The maximum number of elements of an input.
const MAX_ELEMENTS: usize = 400;

/// An input to translate: one slice, or two slices in sequence, and the shape of the array to slice.
struct Case {
    shape: Vec<usize>,
    specs: Vec<DynSliceSpec>,
    /// The selection of all slices together, or `None` if they are not valid for the shape.
    selection: Option<Selection>,
    opset: u32,
}

fn small_shape(rng: &mut Rng) -> Vec<usize> {
    loop {
        let shape = generate::shape(rng);
        if shape.iter().product::<usize>() <= MAX_ELEMENTS
            && (!shape.contains(&0) || rng.u8(..3) == 0)
        {
            return shape;
        }
    }
}

impl Case {
    /// Returns a case with one slice. If `for_other_shape` is true, the slice was generated for a different shape than
    /// that of the case, so it may be invalid.
    fn one(rng: &mut Rng, for_other_shape: bool) -> Self {
        let shape = small_shape(rng);
        let mut spec = generate::spec(rng, &shape);
        if rng.u8(..5) == 0 {
            spec = generate::with_extremes(rng, &spec);
        }
        if for_other_shape {
            let mut other: Vec<usize> = shape.iter().map(|_| rng.usize(0..=5)).collect();
            if rng.u8(..8) == 0 {
                other.pop();
            }
            let selection = spec.resolve(&other).ok();
            return Case::new(rng, other, vec![spec], selection);
        }
        let selection = spec
            .resolve(&shape)
            .expect("the slice should fit the shape");
        Case::new(rng, shape, vec![spec], Some(selection))
    }

    /// Returns a case with one or two slices that are valid for its shape.
    fn one_or_two(rng: &mut Rng) -> Self {
        let first = Case::one(rng, false);
        if rng.bool() {
            return first;
        }
        let Case {
            shape,
            mut specs,
            selection: Some(selection),
            ..
        } = first
        else {
            unreachable!("a case with a valid slice has a selection");
        };
        let then = generate::spec(rng, selection.output_shape());
        let second = then
            .resolve(selection.output_shape())
            .expect("the slice should fit the shape");
        let both = selection
            .compose(&second)
            .expect("the second selection should apply to the output of the first");
        specs.push(then);
        Case::new(rng, shape, specs, Some(both))
    }

    fn new(
        rng: &mut Rng,
        shape: Vec<usize>,
        specs: Vec<DynSliceSpec>,
        selection: Option<Selection>,
    ) -> Self {
        Case {
            shape,
            specs,
            selection,
            opset: [1, 10, 11, 13][rng.usize(..4)],
        }
    }
}

/// Writes operations of one system, translated from specs or from selections, and prints how many cases the translation
/// rejected.
fn dump<Op: Serialize>(
    out: &mut impl Write,
    names: (&str, &str),
    rng: &mut Rng,
    case: impl Fn(&mut Rng) -> Case,
    translate: impl Fn(&Case) -> Result<Translated<Op>, TranslateError>,
) -> Result<(), Box<dyn Error>> {
    dump_with(out, names, rng, case, translate, |_, _| Vec::new())
}

/// Writes operations as [`dump`] does, but each also in every textual form that the system can read. `texts` returns
/// these strings, with `None` for a form that cannot express the operation.
fn dump_with<Op: Serialize>(
    out: &mut impl Write,
    (system, source): (&str, &str),
    rng: &mut Rng,
    case: impl Fn(&mut Rng) -> Case,
    translate: impl Fn(&Case) -> Result<Translated<Op>, TranslateError>,
    texts: impl Fn(&Op, &[usize]) -> Vec<Option<String>>,
) -> Result<(), Box<dyn Error>> {
    let mut lines = HashSet::new();
    let mut rejected = 0;
    while lines.len() < OPERATIONS {
        let case = case(rng);
        let Ok(translated) = translate(&case) else {
            rejected += 1;
            continue;
        };
        let slices: Vec<String> = case.specs.iter().map(DynSliceSpec::to_string).collect();
        let defects: Vec<&str> = translated
            .defects
            .iter()
            .map(|defect| defect.text)
            .collect();
        let line = json!({
            "system": system, "source": source, "shape": case.shape, "slices": slices, "op": translated.op,
            "texts": texts(&translated.op, &case.shape), "defects": defects,
        });
        let line = line.to_string();
        if !lines.contains(&line) {
            writeln!(out, "{line}")?;
            lines.insert(line);
        }
    }
    eprintln!("{system} {source}: {OPERATIONS} operations, {rejected} cases rejected");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    let spec = |case: &Case| case.specs[0].clone();
    let selection = |case: &Case| {
        case.selection
            .clone()
            .expect("the case should contain a selection")
    };
    let possibly_invalid = |rng: &mut Rng| Case::one(rng, true);
    let rng = &mut Rng::with_seed(5);

    let source = |system| (system, "spec");
    dump(
        &mut out,
        source("tensorflow"),
        rng,
        possibly_invalid,
        |case| tensorflow::StridedSlice::from_spec(&spec(case)),
    )?;
    dump(
        &mut out,
        source("openvino"),
        rng,
        possibly_invalid,
        |case| openvino::StridedSlice::from_spec(&spec(case)),
    )?;
    dump(
        &mut out,
        source("mindspore"),
        rng,
        possibly_invalid,
        |case| mindspore::StridedSlice::from_spec(&spec(case)),
    )?;
    dump(&mut out, source("onnx"), rng, possibly_invalid, |case| {
        OnnxPlan::from_spec(&spec(case), case.shape.len(), case.opset)
    })?;

    let source = |system| (system, "selection");
    dump(
        &mut out,
        source("tensorflow"),
        rng,
        Case::one_or_two,
        |case| tensorflow::StridedSlice::from_selection(&selection(case)),
    )?;
    dump(
        &mut out,
        source("openvino"),
        rng,
        Case::one_or_two,
        |case| openvino::StridedSlice::from_selection(&selection(case)),
    )?;
    dump(
        &mut out,
        source("mindspore"),
        rng,
        Case::one_or_two,
        |case| mindspore::StridedSlice::from_selection(&selection(case)),
    )?;
    dump(&mut out, source("onnx"), rng, Case::one_or_two, |case| {
        OnnxPlan::from_selection(&selection(case), case.opset)
    })?;
    dump(
        &mut out,
        source("tensorstore"),
        rng,
        Case::one_or_two,
        |case| tensorstore::IndexTransform::from_selection(&selection(case)),
    )?;
    // The systems below have a separate random generator, so that their cases do not depend on the systems above.
    let rng = &mut Rng::with_seed(6);
    dump(
        &mut out,
        ("litert", "spec"),
        rng,
        possibly_invalid,
        |case| litert::StridedSlice::from_spec(&spec(case)),
    )?;
    let python = |program: &torch::Program, shape: &[usize]| {
        let operators = program.without_brackets(shape.len()).ok();
        let exported = operators.map(|operators| torch::Export(&operators).to_string());
        vec![Some(program.to_string()), exported]
    };
    dump_with(
        &mut out,
        ("torch", "spec"),
        rng,
        possibly_invalid,
        |case| torch::Slice::from_spec(&spec(case)),
        python,
    )?;

    dump(&mut out, source("litert"), rng, Case::one_or_two, |case| {
        litert::StridedSlice::from_selection(&selection(case))
    })?;
    dump_with(
        &mut out,
        source("torch"),
        rng,
        Case::one_or_two,
        |case| torch::Slice::from_selection(&selection(case)),
        python,
    )?;
    dump_with(
        &mut out,
        source("stablehlo"),
        rng,
        Case::one_or_two,
        |case| stablehlo::Slice::from_selection(&selection(case)),
        |program, shape| vec![program.mlir(shape, "i64").ok()],
    )?;
    dump_with(
        &mut out,
        source("coreml"),
        rng,
        Case::one_or_two,
        |case| coreml::SliceByIndex::from_selection(&selection(case)),
        |program, _| vec![Some(program.to_string())],
    )?;
    Ok(())
}
