//! Compares writing to a slice (`scatter`, `fill` and assignment to an ndarray array) with reading the same slice
//! (`gather_into`).
//!
//! `cargo bench -p slice-benches --bench writing [-- [--quick] [--strict] [--json FILE] [l2|l3|dram ...] [part of a
//! row's name]]` prints Markdown tables. They contain the time of `gather_into` in microseconds, and all other times as
//! ratios to this time. The tables are followed by the rows that break one of the [rules](RULES). With `--strict`, the
//! exit code is 1 if a row breaks a rule. Times are medians, and include planning. All candidates are measured in turn,
//! in one process and on one thread, with warm caches. `--json` also writes the times as [data](common::record).

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "other benchmarks use the rest of this module")]
mod common;

use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;

use ndarray::{ArrayViewD, ArrayViewMutD, Axis, IxDyn};
use slice_core::{DynSliceSpec, StridedSliceExt};
use slice_systems::Operation;

use common::arguments::Arguments;
use common::element::{ArrayElement, bytes, bytes_mut};
use common::floor::Floor;
use common::offset_buffer::{self, OffsetBuffer};
use common::processor;
use common::tables::{Row, lesser_sets, tables, with_element_type};
use common::timing::Candidate;
use common::verdict::{Rule, Times};
use common::workloads::{Class, ElementType};

/// The columns after the first column, `gather_into`. Reading and writing have different floors.
const COLUMNS: [&str; 16] = [
    "memcpy",
    "floor of gather",
    "scatter",
    "floor of scatter",
    "y = x[..]",
    "x[..] = y",
    "x[..] = y[0]",
    "x[..] = number",
    "fill",
    "ndarray's assign",
    "gather AVX2",
    "scatter AVX2",
    "gather SSSE3",
    "scatter SSSE3",
    "gather baseline",
    "scatter baseline",
];

/// The rules for the columns: a more capable instruction set must not be slower than a less capable one, and ndarray
/// must not be faster. Each rule has a tolerance.
const RULES: [Rule; 4] = [
    Rule {
        column: "scatter",
        others: &["scatter AVX2", "scatter SSSE3", "scatter baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "scatter AVX2",
        others: &["scatter SSSE3", "scatter baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "scatter SSSE3",
        others: &["scatter baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "x[..] = y",
        others: &["ndarray's assign"],
        max_ratio: 1.05,
    },
];

fn main() -> ExitCode {
    let arguments = Arguments::read(&[Class::L2, Class::L3, Class::Dram]);
    println!("{}", processor::describe());
    tables(&arguments, "writing", &RULES, head, row)
}

/// Returns the header of a table.
fn head(_: Class) -> String {
    let rule = "--:|".repeat(COLUMNS.len());
    let columns = COLUMNS.join(" | ");
    format!("\n\n| work | gather_into, µs | {columns} |\n|---|--:|{rule}")
}

fn row(row: Row<'_>) -> Times {
    let work = row.work;
    let times = with_element_type!(measure(row));
    let gather = times
        .get("gather_into")
        .expect("the column should have been measured");
    let ratio = |column| {
        let time = times.get(column);
        time.map(|time| format!("{:.2}", time / gather))
    };
    let cells = COLUMNS.map(|column| ratio(column).unwrap_or_default());
    let (name, cells) = (&work.name, cells.join(" | "));
    println!("| {name} | {:.2} | {cells} |", gather / 1e3);
    times
}

/// Measures `gather_into` and each column.
fn measure<T: ArrayElement>(row: Row<'_>) -> Times {
    let Row {
        work: row,
        effort,
        rules,
        verdict,
        ..
    } = row;
    let selection = &row.selection;
    let spec = DynSliceSpec::from_selection(selection)
        .expect("the selection should be equivalent to one slice")
        .op;
    let output_shape = IxDyn(selection.output_shape());
    let values = OffsetBuffer::new(offset_buffer::OUTPUT_OFFSET_BYTES, selection.len(), T::nth);
    let value = ArrayViewD::from_shape(output_shape, &values[..])
        .expect("the length should match the shape");
    let number = value[vec![0; value.ndim()].as_slice()];
    let first = match value.ndim() {
        0 => value.view(),
        _ => value.index_axis(Axis(0), 0),
    };
    let mut memory = OffsetBuffer::new(
        offset_buffer::INPUT_OFFSET_BYTES,
        selection.input_len(),
        |_| T::default(),
    );
    let input = ArrayViewMutD::from_shape(IxDyn(selection.input_shape()), &mut memory[..]);
    let input = RefCell::new(input.expect("the length should match the shape"));
    let output = OffsetBuffer::new(offset_buffer::OUTPUT_OFFSET_BYTES, selection.len(), |_| {
        T::default()
    });
    let output = RefCell::new(output);
    let floor = Floor::new(selection, size_of::<T>());

    let mut candidates = vec![
        Candidate::new("gather_into", || {
            let input = black_box(&input).borrow();
            let gathered = selection.gather_into(elements(&input), &mut output.borrow_mut());
            gathered.expect("the buffers should fit the selection");
        }),
        Candidate::new("memcpy", || {
            let input = black_box(&input).borrow();
            output
                .borrow_mut()
                .copy_from_slice(&elements(&input)[..selection.len()])
        }),
        Candidate::new("floor of gather", || {
            let input = black_box(&input).borrow();
            floor.gather(bytes(elements(&input)), bytes_mut(&mut output.borrow_mut()));
        }),
        writing("scatter", &input, |x| {
            let scattered = selection.scatter(black_box(&values), elements_mut(x));
            scattered.expect("the buffers should fit the selection");
        }),
        writing("floor of scatter", &input, |x| {
            floor.scatter(bytes(black_box(&values)), bytes_mut(elements_mut(x)))
        }),
        Candidate::new("y = x[..]", || {
            black_box(black_box(&input).borrow().gather(&spec));
        }),
        writing("x[..] = y", &input, |x| x.set(&spec, &value)),
        writing("x[..] = y[0]", &input, |x| x.set(&spec, &first)),
        writing("x[..] = number", &input, |x| x.fill_at(&spec, number)),
        writing("fill", &input, |x| {
            let filled = selection.fill(number, elements_mut(x));
            filled.expect("the buffers should fit the selection");
        }),
        writing("ndarray's assign", &input, |x| {
            x.at_mut(&spec).assign(&value)
        }),
    ];
    for ((gather, scatter), limit) in lesser_sets([
        ("gather AVX2", "scatter AVX2"),
        ("gather SSSE3", "scatter SSSE3"),
        ("gather baseline", "scatter baseline"),
    ]) {
        let (x, output, values) = (&input, &output, &values);
        candidates.push(Candidate::new(gather, move || {
            let plan = black_box(selection).plan().unwrap().at_most(limit);
            let gathered = plan.gather_into(elements(&x.borrow()), &mut output.borrow_mut());
            gathered.expect("the buffers should fit the selection");
        }));
        candidates.push(writing(scatter, x, move |x| {
            let plan = black_box(selection).plan().unwrap().at_most(limit);
            let scattered = plan.scatter(black_box(values), elements_mut(x));
            scattered.expect("the buffers should fit the selection");
        }));
    }
    for candidate in &mut candidates {
        let assigns = ["x[..] = y", "ndarray's assign"].contains(&candidate.name);
        if assigns || candidate.name.starts_with("scatter") {
            input.borrow_mut().fill(T::default());
            (candidate.run)();
            let written = input.borrow().at(&spec) == value;
            assert!(
                written,
                "{} assigned the wrong elements: {}",
                candidate.name, row.name
            );
        }
    }
    verdict.measure_row(&row.name, rules, || Times::measure(&mut candidates, effort))
}

/// Creates a candidate that writes to an array.
fn writing<'a, T>(
    name: &'static str,
    array: &'a RefCell<ArrayViewMutD<'a, T>>,
    write: impl Fn(&mut ArrayViewMutD<'a, T>) + 'a,
) -> Candidate<'a> {
    Candidate::new(name, move || write(&mut black_box(array).borrow_mut()))
}

fn elements<'a, T>(array: &'a ArrayViewMutD<'_, T>) -> &'a [T] {
    array.as_slice().expect("the array should be in C order")
}

fn elements_mut<'a, T>(array: &'a mut ArrayViewMutD<'_, T>) -> &'a mut [T] {
    array
        .as_slice_mut()
        .expect("the array should be in C order")
}
