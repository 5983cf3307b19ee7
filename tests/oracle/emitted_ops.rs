//! Prints operations that this library emits, one JSON object per line. `emitted_ops.py` runs each operation in its
//! system.
//!
//! `cargo run -p slice-tests --example emitted_ops`

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use fastrand::Rng;
use serde::Serialize;
use serde_json::json;
use slice_core::{DynSliceSpec, Selection};
use slice_ops::onnx::OnnxPlan;
use slice_ops::translate::{TranslateError, Translated};
use slice_ops::{coreml, litert, mindspore, openvino, stablehlo, tensorflow, tensorstore, torch};
use slice_tests::generate;

/// The number of operations that are translated for each system from specs, and again from selections.
const OPERATIONS: usize = 2000;

/// The maximum number of elements of an input.
const MAX_ELEMENTS: usize = 400;

/// A task for the translation: one slice, or two slices in sequence, and the shape of the array to slice.
struct Task {
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

impl Task {
    /// Returns a task with one slice. If `for_other_shape` is true, the slice was generated for a different shape than
    /// that of the task, so it may be invalid.
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
            return Task::new(rng, other, vec![spec], selection);
        }
        let selection = spec
            .resolve(&shape)
            .expect("the slice should fit the shape");
        Task::new(rng, shape, vec![spec], Some(selection))
    }

    /// Returns a task with one or two slices that are valid for its shape.
    fn one_or_two(rng: &mut Rng) -> Self {
        let first = Task::one(rng, false);
        if rng.bool() {
            return first;
        }
        let Task {
            shape,
            mut specs,
            selection: Some(selection),
            ..
        } = first
        else {
            unreachable!("a task with a valid slice has a selection");
        };
        let then = generate::spec(rng, selection.output_shape());
        let second = then
            .resolve(selection.output_shape())
            .expect("the slice should fit the shape");
        let both = selection
            .compose(&second)
            .expect("the second selection should apply to the output of the first");
        specs.push(then);
        Task::new(rng, shape, specs, Some(both))
    }

    fn new(
        rng: &mut Rng,
        shape: Vec<usize>,
        specs: Vec<DynSliceSpec>,
        selection: Option<Selection>,
    ) -> Self {
        Task {
            shape,
            specs,
            selection,
            opset: [1, 10, 11, 13][rng.usize(..4)],
        }
    }
}

/// Writes operations of one system, translated from specs or from selections, and prints how many tasks the translation
/// rejected.
fn dump<Op: Serialize>(
    out: &mut impl Write,
    names: (&str, &str),
    rng: &mut Rng,
    task: impl Fn(&mut Rng) -> Task,
    translate: impl Fn(&Task) -> Result<Translated<Op>, TranslateError>,
) -> Result<(), Box<dyn Error>> {
    dump_with(out, names, rng, task, translate, |_, _| Vec::new())
}

/// Does the same as [`dump`], and also writes each operation as text, in the forms that `texts` returns. A form is
/// `None` if the operation cannot be written in it.
fn dump_with<Op: Serialize>(
    out: &mut impl Write,
    (system, source): (&str, &str),
    rng: &mut Rng,
    task: impl Fn(&mut Rng) -> Task,
    translate: impl Fn(&Task) -> Result<Translated<Op>, TranslateError>,
    texts: impl Fn(&Op, &[usize]) -> Vec<Option<String>>,
) -> Result<(), Box<dyn Error>> {
    let mut seen = HashSet::new();
    let mut rejected = 0;
    while seen.len() < OPERATIONS {
        let task = task(rng);
        let Ok(translated) = translate(&task) else {
            rejected += 1;
            continue;
        };
        let slices: Vec<String> = task.specs.iter().map(DynSliceSpec::to_string).collect();
        let defects: Vec<&str> = translated
            .defects
            .iter()
            .map(|defect| defect.text)
            .collect();
        let line = json!({
            "system": system, "source": source, "shape": task.shape, "slices": slices, "op": translated.op,
            "texts": texts(&translated.op, &task.shape), "defects": defects,
        });
        let line = line.to_string();
        if !seen.contains(&line) {
            writeln!(out, "{line}")?;
            seen.insert(line);
        }
    }
    eprintln!("{system} {source}: {OPERATIONS} operations, {rejected} tasks rejected");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    let spec = |task: &Task| task.specs[0].clone();
    let selection = |task: &Task| {
        task.selection
            .clone()
            .expect("the task should contain a selection")
    };
    let possibly_invalid = |rng: &mut Rng| Task::one(rng, true);
    let rng = &mut Rng::with_seed(5);

    let source = |system| (system, "spec");
    dump(
        &mut out,
        source("tensorflow"),
        rng,
        possibly_invalid,
        |task| tensorflow::StridedSlice::from_spec(&spec(task)),
    )?;
    dump(
        &mut out,
        source("openvino"),
        rng,
        possibly_invalid,
        |task| openvino::StridedSlice::from_spec(&spec(task)),
    )?;
    dump(
        &mut out,
        source("mindspore"),
        rng,
        possibly_invalid,
        |task| mindspore::StridedSlice::from_spec(&spec(task)),
    )?;
    dump(&mut out, source("onnx"), rng, possibly_invalid, |task| {
        OnnxPlan::from_spec(&spec(task), task.shape.len(), task.opset)
    })?;

    let source = |system| (system, "selection");
    dump(
        &mut out,
        source("tensorflow"),
        rng,
        Task::one_or_two,
        |task| tensorflow::StridedSlice::from_selection(&selection(task)),
    )?;
    dump(
        &mut out,
        source("openvino"),
        rng,
        Task::one_or_two,
        |task| openvino::StridedSlice::from_selection(&selection(task)),
    )?;
    dump(
        &mut out,
        source("mindspore"),
        rng,
        Task::one_or_two,
        |task| mindspore::StridedSlice::from_selection(&selection(task)),
    )?;
    dump(&mut out, source("onnx"), rng, Task::one_or_two, |task| {
        OnnxPlan::from_selection(&selection(task), task.opset)
    })?;
    dump(
        &mut out,
        source("tensorstore"),
        rng,
        Task::one_or_two,
        |task| tensorstore::IndexTransform::from_selection(&selection(task)),
    )?;
    // The systems below have a separate random generator, so that their tasks do not depend on the systems above.
    let rng = &mut Rng::with_seed(6);
    dump(
        &mut out,
        ("litert", "spec"),
        rng,
        possibly_invalid,
        |task| litert::StridedSlice::from_spec(&spec(task)),
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
        |task| torch::Slice::from_spec(&spec(task)),
        python,
    )?;

    dump(&mut out, source("litert"), rng, Task::one_or_two, |task| {
        litert::StridedSlice::from_selection(&selection(task))
    })?;
    dump_with(
        &mut out,
        source("torch"),
        rng,
        Task::one_or_two,
        |task| torch::Slice::from_selection(&selection(task)),
        python,
    )?;
    dump_with(
        &mut out,
        source("stablehlo"),
        rng,
        Task::one_or_two,
        |task| stablehlo::Slice::from_selection(&selection(task)),
        |program, shape| vec![program.mlir(shape, "i64").ok()],
    )?;
    dump_with(
        &mut out,
        source("coreml"),
        rng,
        Task::one_or_two,
        |task| coreml::SliceByIndex::from_selection(&selection(task)),
        |program, _| vec![Some(program.to_string())],
    )?;
    Ok(())
}
