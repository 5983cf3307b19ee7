//! Prints programs (sequences of operations) that this library emits, one JSON object per line. The programs are
//! translated from slices with lists or masks, for each system. Additional programs, which consist of LiteRT's `SLICE`
//! and `REVERSE_V2`, are translated from slices without lists and masks. `emitted_programs.py` runs each program in its
//! system.
//!
//! `cargo run -p slice-tests --example emitted_programs`

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use fastrand::Rng;
use serde::Serialize;
use serde_json::json;
use slice_core::{DynOuterSpec, OuterItem};
use slice_ops::lists::Split;
use slice_ops::python::Oindex;
use slice_ops::translate::{TranslateError, Translated};
use slice_ops::{Operation, litert, stablehlo, torch};
use slice_tests::generate;

/// The number of programs for each system.
const PROGRAMS: usize = 1000;

/// The maximum number of elements of an input.
const MAX_ELEMENTS: usize = 400;

/// A task for the translation: a slice, and the shape of the array to slice.
struct Task {
    shape: Vec<usize>,
    spec: DynOuterSpec,
}

impl Task {
    fn new(rng: &mut Rng, with_lists: bool) -> Self {
        loop {
            let shape = generate::shape(rng);
            let elements: usize = shape.iter().product();
            if elements > MAX_ELEMENTS || shape.contains(&0) && rng.u8(..3) > 0 {
                continue;
            }
            let spec = match with_lists {
                true => generate::outer_spec(rng, &shape),
                false => generate::spec(rng, &shape).into(),
            };
            let is_list = |item: &OuterItem| !matches!(item, OuterItem::Item(_));
            if spec.items().iter().any(is_list) == with_lists {
                return Task { shape, spec };
            }
        }
    }
}

/// Writes programs of one system, and prints how many tasks the translation rejected. `texts` returns the forms in
/// which the system reads a program as text. A form is `None` if the program cannot be written in it.
fn dump<Op: Serialize>(
    out: &mut impl Write,
    system: &str,
    task: impl Fn() -> Task,
    translate: impl Fn(&Task) -> Result<Translated<Op>, TranslateError>,
    texts: impl Fn(&Op, &[usize]) -> Vec<Option<String>>,
) -> Result<(), Box<dyn Error>> {
    let mut seen = HashSet::new();
    let mut rejected = 0;
    while seen.len() < PROGRAMS {
        let task = task();
        let Ok(translated) = translate(&task) else {
            rejected += 1;
            continue;
        };
        let defects: Vec<&str> = translated
            .defects
            .iter()
            .map(|defect| defect.text)
            .collect();
        let line = json!({
            "system": system, "shape": task.shape, "slice": task.spec.to_string(), "op": translated.op,
            "texts": texts(&translated.op, &task.shape), "defects": defects,
        });
        let line = line.to_string();
        if !seen.contains(&line) {
            writeln!(out, "{line}")?;
            seen.insert(line);
        }
    }
    eprintln!("{system}: {PROGRAMS} programs, {rejected} tasks rejected");
    Ok(())
}

/// Returns a generator of tasks. Each generator has its own random numbers, so that the tasks of a system do not depend
/// on the other systems.
fn tasks(with_lists: bool) -> impl Fn() -> Task {
    let rng = std::cell::RefCell::new(Rng::with_seed(8));
    move || Task::new(&mut rng.borrow_mut(), with_lists)
}

macro_rules! lists {
    ($($Name:ident: $Operation:ty = $folder:literal,)*) => {
        /// Writes programs for slices with lists, for every system whose only text is the `Display` form of the
        /// program.
        fn lists(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
            $(if !["torch", "stablehlo"].contains(&$folder) {
                dump(
                    out,
                    $folder,
                    tasks(true),
                    |task| <$Operation as Operation>::from_outer_spec(&task.spec, &task.shape),
                    |op, _| vec![Some(op.to_string())],
                )?;
            })*
            Ok(())
        }
    };
}

slice_ops::for_each_system!(lists);

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    lists(&mut out)?;
    dump(
        &mut out,
        "torch",
        tasks(true),
        |task| torch::Slice::from_outer_spec(&task.spec, &task.shape),
        |program, shape| {
            let operators = program.without_brackets(shape.len()).ok();
            let exported = operators.map(|operators| torch::Export(&operators).to_string());
            vec![Some(program.to_string()), exported]
        },
    )?;
    dump(
        &mut out,
        "stablehlo",
        tasks(true),
        |task| stablehlo::Slice::from_outer_spec(&task.spec, &task.shape),
        |program, shape| vec![program.mlir(shape, "i64").ok()],
    )?;
    dump(
        &mut out,
        "zarr",
        tasks(true),
        |task| {
            let op = Oindex::from_split(&Split::of_spec(&task.spec, &task.shape)?)?;
            let defects = Vec::new();
            Ok(Translated { op, defects })
        },
        |op, _| vec![Some(op.to_string())],
    )?;
    dump(
        &mut out,
        "litert_slice",
        tasks(false),
        |task| {
            let selection = task.spec.resolve(&task.shape)?;
            let selection = selection
                .to_selection()
                .expect("the selection should contain no lists");
            litert::Slice::from_selection(&selection)
        },
        |op, _| vec![Some(op.to_string())],
    )
}
