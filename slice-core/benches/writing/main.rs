//! Writing through slices against reading them: what `gather_into` costs, and `scatter`, `fill` and assignment to an
//! ndarray array at the same places.
//!
//! `cargo bench -p slice-core --bench writing [-- [--quick] [l2|dram] [part of a row's name]]` prints Markdown: the time
//! of `gather_into` in microseconds, and every other time as a ratio to it. Medians of turns in one process on one thread,
//! caches warm, planning included.

mod floor;
#[path = "../gather/timing.rs"]
mod timing;
#[path = "../gather/workloads.rs"]
#[expect(dead_code, reason = "tiny copies are the other benchmark's")]
mod workloads;

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use floor::Floor;
use ndarray::{ArrayD, ArrayViewD, Axis, IxDyn};
use slice_core::{DynSliceSpec, Item, OutputAxis, Selection, StridedSliceExt};
use timing::{Candidate, Effort, medians};
use workloads::{Element, Workload};

/// The columns behind the first, which is `gather_into`; the floors are those of the two directions.
const COLUMNS: [&str; 9] = [
    "floor of gather",
    "scatter",
    "floor of scatter",
    "y = x[..]",
    "x[..] = y",
    "x[..] = y[0]",
    "x[..] = number",
    "fill",
    "ndarray's assign",
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let words: Vec<&String> = arguments
        .iter()
        .filter(|word| !word.starts_with("--"))
        .collect();
    let size = |word: &&&String| ["l2", "dram"].contains(&word.as_str());
    let wanted = |size_word: &str| {
        words
            .iter()
            .find(size)
            .is_none_or(|word| *word == size_word)
    };
    let part = words.iter().find(|word| !size(word)).copied();
    let effort = |rounds: usize, micros: u64| match quick {
        true => (1, Duration::ZERO),
        false => (rounds, Duration::from_micros(micros)),
    };
    if wanted("l2") {
        table("L2", workloads::l2(), part, effort(41, 200));
    }
    if wanted("dram") && !quick {
        table("DRAM", workloads::dram(), part, effort(9, 0));
    }
}

fn table(title: &str, workloads: Vec<Workload>, part: Option<&String>, effort: (usize, Duration)) {
    println!(
        "\n## {title}\n\n| work | gather_into, µs | {} |\n|---|--:|{}",
        COLUMNS.join(" | "),
        "--:|".repeat(COLUMNS.len())
    );
    for workload in workloads {
        if part.is_some_and(|part| !workload.name.contains(part.as_str())) {
            continue;
        }
        let (rounds, batch) = effort;
        let effort = Effort { rounds, batch };
        let times = match workload.element {
            Element::U8 => measure(&workload.selection, |i| (i % 251) as u8, effort),
            Element::F32 => measure(&workload.selection, |i| (i % 65_521) as f32, effort),
            Element::F64 => measure(&workload.selection, |i| i as f64, effort),
        };
        let ratios = times[1..]
            .iter()
            .map(|time| format!("{:.2}", time / times[0]));
        let ratios: Vec<_> = ratios.collect();
        println!(
            "| {} | {:.2} | {} |",
            workload.name,
            times[0] / 1e3,
            ratios.join(" | ")
        );
    }
}

/// The time of `gather_into` and of each column.
fn measure<T>(selection: &Selection, element: impl Fn(usize) -> T, effort: Effort) -> Vec<f64>
where
    T: Copy + Default + PartialEq,
{
    let spec = spec(selection);
    let output_shape = IxDyn(selection.output_shape());
    let values: Vec<T> = (0..selection.len()).map(element).collect();
    let value = ArrayViewD::from_shape(output_shape, &values).expect("the selection's shape");
    let number = value[vec![0; value.ndim()].as_slice()];
    let row = match value.ndim() {
        0 => value.view(),
        _ => value.index_axis(Axis(0), 0),
    };
    let input = RefCell::new(ArrayD::from_elem(
        IxDyn(selection.input_shape()),
        T::default(),
    ));
    let output = RefCell::new(vec![T::default(); selection.len()]);
    let (gathers, scatters) = (
        Floor::new(selection.indices(), size_of::<T>()),
        Floor::new(0..selection.len(), size_of::<T>()),
    );

    let floor_of_scatter = |into: &mut [T]| {
        scatters.read(black_box(&values));
        gathers.write(into, number);
    };
    let mut candidates = vec![
        Candidate {
            name: "gather_into",
            run: Box::new(|| {
                let input = black_box(&input).borrow();
                let gathered = selection.gather_into(elements(&input), &mut output.borrow_mut());
                gathered.expect("the lengths fit");
            }),
        },
        Candidate {
            name: "floor of gather",
            run: Box::new(|| {
                gathers.read(elements(&black_box(&input).borrow()));
                scatters.write(&mut output.borrow_mut(), number);
            }),
        },
        writing("scatter", &input, |x| {
            let scattered = selection.scatter(black_box(&values), elements_mut(x));
            scattered.expect("the lengths fit");
        }),
        writing("floor of scatter", &input, |x| {
            floor_of_scatter(elements_mut(x))
        }),
        Candidate {
            name: "y = x[..]",
            run: Box::new(|| {
                black_box(black_box(&input).borrow().gather(&spec));
            }),
        },
        writing("x[..] = y", &input, |x| x.set(&spec, &value)),
        writing("x[..] = y[0]", &input, |x| x.set(&spec, &row)),
        writing("x[..] = number", &input, |x| x.fill_at(&spec, number)),
        writing("fill", &input, |x| {
            let filled = selection.fill(number, elements_mut(x));
            filled.expect("the lengths fit");
        }),
        writing("ndarray's assign", &input, |x| {
            x.at_mut(&spec).assign(&value)
        }),
    ];
    for candidate in &mut candidates {
        if ["scatter", "x[..] = y", "ndarray's assign"].contains(&candidate.name) {
            input.borrow_mut().fill(T::default());
            (candidate.run)();
            assert!(input.borrow().at(&spec) == value, "{}", candidate.name);
        }
    }
    medians(&mut candidates, effort)
}

/// Something to be timed that writes to an array.
fn writing<'a, T>(
    name: &'static str,
    array: &'a RefCell<ArrayD<T>>,
    write: impl Fn(&mut ArrayD<T>) + 'a,
) -> Candidate<'a> {
    Candidate {
        name,
        run: Box::new(move || write(&mut black_box(array).borrow_mut())),
    }
}

fn elements<T>(array: &ArrayD<T>) -> &[T] {
    array.as_slice().expect("in C order")
}

fn elements_mut<T>(array: &mut ArrayD<T>) -> &mut [T] {
    array.as_slice_mut().expect("in C order")
}

/// The slice that makes this selection.
fn spec(selection: &Selection) -> DynSliceSpec {
    let mut axes = selection.axes().iter().copied().enumerate();
    let mut spec = DynSliceSpec::default();
    let mut push = |item| spec.push(item).expect("few items");
    let mut next = |kept: Option<usize>, push: &mut dyn FnMut(Item)| {
        for (axis, range) in axes.by_ref() {
            let (start, step) = (range.start as i64, range.step as i64);
            if kept != Some(axis) {
                push(Item::Index(start));
                continue;
            }
            let end = start + step * range.len as i64;
            let end = (end >= 0).then_some(end);
            push(Item::Range {
                begin: Some(start),
                end,
                stride: step,
            });
            return;
        }
    };
    for &axis in selection.output_axes() {
        match axis {
            OutputAxis::New { .. } => push(Item::NewAxis),
            OutputAxis::Input(axis) => next(Some(axis), &mut push),
        }
    }
    next(None, &mut push);
    spec
}
