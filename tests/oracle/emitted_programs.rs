//! Prints programs (sequences of operations) that slice-systems emits, one JSON object per line. For each target system,
//! such as TensorFlow or ONNX, the programs are translated from slices with lists or masks. Additional programs, which
//! consist of LiteRT's `SLICE` and `REVERSE_V2`, are translated from slices without lists or masks.
//! `emitted_programs.py` runs each program on the system it is for.
//!
//! `cargo run -p slice-tests --example emitted_programs`

use std::collections::HashSet;
use std::error::Error;
use std::io::{BufWriter, Write, stdout};

use fastrand::Rng;
use serde::Serialize;
use serde_json::json;
use slice_core::DynSliceSpec;
use slice_systems::python::ZarrIndex;
use slice_systems::translate::{TranslateError, Translated};
use slice_systems::{Operation, stablehlo, torch};
use slice_tests::generate;

/// The number of programs for each system.
const PROGRAMS: usize = 1000;

/// The maximum number of elements of an input.
const MAX_ELEMENTS: usize = 400;

/// An input to translate: a slice and the shape of the array to slice.
struct Case {
    shape: Vec<usize>,
    spec: DynSliceSpec,
}

impl Case {
    fn new(rng: &mut Rng, with_lists: bool) -> Self {
        loop {
            let shape = generate::shape(rng);
            let elements: usize = shape.iter().product();
            if elements > MAX_ELEMENTS || shape.contains(&0) && rng.u8(..3) > 0 {
                continue;
            }
            let spec = match with_lists {
                true if rng.bool() => generate::joined_spec(rng, &shape),
                true => generate::list_spec(rng, &shape),
                false => generate::spec(rng, &shape),
            };
            if spec.has_lists() == with_lists {
                return Case { shape, spec };
            }
        }
    }
}

/// Writes programs of one system, and prints how many cases the translation rejected. `texts` returns the program in
/// each textual form that the system can read, or `None` for a form that cannot express it.
fn dump<Op: Serialize>(
    out: &mut impl Write,
    system: &str,
    case: impl Fn() -> Case,
    translate: impl Fn(&Case) -> Result<Translated<Op>, TranslateError>,
    texts: impl Fn(&Op, &[usize]) -> Vec<Option<String>>,
) -> Result<(), Box<dyn Error>> {
    let mut lines = HashSet::new();
    let mut rejected = 0;
    while lines.len() < PROGRAMS {
        let case = case();
        let Ok(translated) = translate(&case) else {
            rejected += 1;
            continue;
        };
        let defects: Vec<&str> = translated
            .defects
            .iter()
            .map(|defect| defect.text)
            .collect();
        let line = json!({
            "system": system, "shape": case.shape, "slice": case.spec.to_string(), "op": translated.op,
            "texts": texts(&translated.op, &case.shape), "defects": defects,
        });
        let line = line.to_string();
        if !lines.contains(&line) {
            writeln!(out, "{line}")?;
            lines.insert(line);
        }
    }
    eprintln!("{system}: {PROGRAMS} programs, {rejected} cases rejected");
    Ok(())
}

/// Returns a generator of cases. Each one has its own random number generator, so that the cases of a system do not
/// depend on the other systems.
fn cases(with_lists: bool) -> impl Fn() -> Case {
    let rng = std::cell::RefCell::new(Rng::with_seed(8));
    move || Case::new(&mut rng.borrow_mut(), with_lists)
}

macro_rules! lists {
    ($($Name:ident: $Operation:ty = $system:literal,)*) => {
        /// Writes programs for slices with lists, for every system whose only textual form of a program is its
        /// `Display` output.
        fn lists(out: &mut impl Write) -> Result<(), Box<dyn Error>> {
            $(if !["torch", "stablehlo"].contains(&$system) {
                dump(
                    out,
                    $system,
                    cases(true),
                    |case| <$Operation as Operation>::from_spec_for_shape(&case.spec, &case.shape),
                    |op, _| vec![Some(op.to_string())],
                )?;
            })*
            Ok(())
        }
    };
}

slice_systems::for_each_system!(lists);

fn main() -> Result<(), Box<dyn Error>> {
    let mut out = BufWriter::new(stdout().lock());
    lists(&mut out)?;
    dump(
        &mut out,
        "torch",
        cases(true),
        |case| torch::Slice::from_spec_for_shape(&case.spec, &case.shape),
        |program, shape| {
            let operators = program.without_brackets(shape.len()).ok();
            let exported = operators.map(|operators| torch::Export(&operators).to_string());
            vec![Some(program.to_string()), exported]
        },
    )?;
    dump(
        &mut out,
        "stablehlo",
        cases(true),
        |case| stablehlo::Slice::from_spec_for_shape(&case.spec, &case.shape),
        |program, shape| vec![program.mlir(shape, "i64").ok()],
    )?;
    dump(
        &mut out,
        "zarr",
        cases(true),
        |case| {
            let op = ZarrIndex::from_spec(&case.spec, &case.shape)?;
            let defects = Vec::new();
            Ok(Translated { op, defects })
        },
        |op, _| vec![Some(op.to_string())],
    )
}
