//! Slices against other crates, a `memcpy` of the output and the traffic floor.
//!
//! `cargo bench -p slice-core --bench gather [-- [--quick] [tiny|l2|dram] [part of a row's name]]` prints Markdown: the time
//! of the `memcpy`, and every other one as a ratio to it and to the floor. All are medians, measured in turns in one process
//! on one thread, so that the machine's mood cancels out. Buffers are allocated and touched beforehand; only the copy is
//! timed, planning included.

mod floor;
mod peers;
mod timing;
mod workloads;

use floor::Floor;
use rten_tensor::TensorView;
use slice_core::InstructionSet;
use std::cell::RefCell;
use std::hint::black_box;
use std::mem::MaybeUninit;
use std::time::Duration;
use timing::{Candidate, Effort, medians};
use workloads::{Element, Workload};

/// Elements that can be told apart well enough for a check.
trait Number: Copy + Default + PartialEq + 'static {
    fn nth(i: usize) -> Self;
}

impl Number for u8 {
    fn nth(i: usize) -> Self {
        (i ^ (i >> 8) ^ (i >> 16)) as u8
    }
}

impl Number for f32 {
    fn nth(i: usize) -> Self {
        (i % (1 << 24)) as f32
    }
}

impl Number for f64 {
    fn nth(i: usize) -> Self {
        i as f64
    }
}

const COLUMNS: [&str; 11] = [
    "memcpy",
    "floor",
    "ours",
    "ours, planned before",
    "ours AVX2",
    "ours SSSE3",
    "ours baseline",
    "scatter",
    "ndarray assign",
    "ndarray to_owned",
    "rten",
];

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    let quick = arguments.iter().any(|argument| argument == "--quick");
    let wanted = |word: &str| {
        arguments
            .iter()
            .find(|argument| {
                !argument.starts_with("--") && ["tiny", "l2", "dram"].contains(&argument.as_str())
            })
            .is_none_or(|size| size == word)
    };
    let part = arguments.iter().find(|argument| {
        !argument.starts_with("--") && !["tiny", "l2", "dram"].contains(&argument.as_str())
    });
    let effort = |rounds: usize, micros: u64| match quick {
        true => Effort {
            rounds: 1,
            batch: Duration::ZERO,
        },
        false => Effort {
            rounds,
            batch: Duration::from_micros(micros),
        },
    };
    println!(
        "Richest instruction set here: {:?}.",
        InstructionSet::detect()
    );
    if wanted("tiny") {
        table(
            "Tiny (nanoseconds, planning included)",
            workloads::tiny(),
            part,
            effort(51, 50),
            false,
        );
    }
    if wanted("l2") {
        table("L2", workloads::l2(), part, effort(41, 200), true);
    }
    if wanted("dram") && !quick {
        table("DRAM", workloads::dram(), part, effort(9, 0), true);
    }
}

/// Measures and prints the rows, as ratios to memcpy and to the floor, or as nanoseconds.
fn table(
    title: &str,
    workloads: Vec<Workload>,
    part: Option<&String>,
    effort: Effort,
    ratios: bool,
) {
    println!(
        "\n## {title}\n\n| work | {} |\n|---|{}",
        COLUMNS.join(" | "),
        "--:|".repeat(COLUMNS.len())
    );
    for workload in workloads {
        if part.is_some_and(|part| !workload.name.contains(part.as_str())) {
            continue;
        }
        let nanoseconds = match workload.element {
            Element::U8 => measure::<u8>(&workload, effort),
            Element::F32 => measure::<f32>(&workload, effort),
            Element::F64 => measure::<f64>(&workload, effort),
        };
        let base = |i: usize| nanoseconds[i].expect("memcpy and floor are always measured");
        let (memcpy, floor) = (base(0), base(1));
        let cells = nanoseconds.iter().enumerate().map(|(i, time)| match time {
            None => String::new(),
            Some(time) if ratios && i == 0 => format!("{:.2} µs", time / 1e3),
            Some(time) if ratios => format!("{:.2} / {:.2}", time / memcpy, time / floor),
            Some(time) => format!("{time:.0}"),
        });
        println!(
            "| {} | {} |",
            workload.name,
            cells.collect::<Vec<_>>().join(" | ")
        );
    }
}

/// The time of each column, `None` where a candidate cannot do the work.
fn measure<T: Number>(workload: &Workload, effort: Effort) -> Vec<Option<f64>> {
    let selection = &workload.selection;
    let input: Vec<T> = (0..selection.input_len()).map(T::nth).collect();
    let output = RefCell::new(vec![T::default(); selection.len()]);
    let back = RefCell::new(vec![T::default(); selection.input_len()]);
    let floor = Floor::new(selection, size_of::<T>());
    let plan = selection.plan();
    let tensor = TensorView::from_data(selection.input_shape(), &input[..]);
    let rten_items = peers::rten_items(selection);

    let expected: Vec<T> = selection.indices().map(|index| input[index]).collect();
    let check = |name: &str| assert!(*output.borrow() == expected, "{name} of {}", workload.name);

    let mut candidates = vec![
        Candidate {
            name: "memcpy",
            run: Box::new(|| {
                output
                    .borrow_mut()
                    .copy_from_slice(black_box(&input[..selection.len()]))
            }),
        },
        Candidate {
            name: "floor",
            run: Box::new(|| {
                floor.run(
                    bytes(black_box(&input)),
                    bytes_mut(&mut output.borrow_mut()),
                )
            }),
        },
    ];
    candidates.push(Candidate {
        name: "ours",
        run: Box::new(|| {
            let gathered =
                black_box(selection).gather_into(black_box(&input), &mut output.borrow_mut());
            gathered.expect("the lengths fit");
        }),
    });
    candidates.push(Candidate {
        name: "ours, planned before",
        run: Box::new(|| {
            let gathered =
                black_box(&plan).gather_into(black_box(&input), &mut output.borrow_mut());
            gathered.expect("the lengths fit");
        }),
    });
    for (name, limit) in [
        ("ours AVX2", InstructionSet::Avx2),
        ("ours SSSE3", InstructionSet::Ssse3),
        ("ours baseline", InstructionSet::Baseline),
    ] {
        if limit <= InstructionSet::detect() {
            let (input, output) = (&input, &output);
            candidates.push(Candidate {
                name,
                run: Box::new(move || {
                    let plan = black_box(selection).plan().at_most(limit);
                    plan.gather_into(black_box(input), &mut output.borrow_mut())
                        .expect("the lengths fit");
                }),
            });
        }
    }
    candidates.push(Candidate {
        name: "scatter",
        run: Box::new(|| {
            black_box(selection)
                .scatter(black_box(&expected), &mut back.borrow_mut())
                .expect("the lengths fit");
        }),
    });
    let names = ["ndarray assign", "ndarray to_owned"];
    for (name, run) in names
        .into_iter()
        .zip(peers::ndarray(selection, &input, &output))
    {
        candidates.push(Candidate { name, run });
    }
    if let Some(items) = &rten_items {
        candidates.push(Candidate {
            name: "rten",
            run: Box::new(|| {
                peers::rten_copy(black_box(&tensor), items, uninit(&mut output.borrow_mut()));
            }),
        });
    }
    for candidate in &mut candidates {
        output.borrow_mut().fill(T::default());
        (candidate.run)();
        if !["memcpy", "floor", "scatter", "ndarray to_owned"].contains(&candidate.name) {
            check(candidate.name);
        }
    }
    let times = medians(&mut candidates, effort);
    let time = |column: &str| {
        candidates
            .iter()
            .position(|candidate| candidate.name == column)
            .map(|i| times[i])
    };
    COLUMNS.iter().map(|column| time(column)).collect()
}

fn bytes<T: Number>(elements: &[T]) -> &[u8] {
    // SAFETY: numbers have no padding, and any byte is a `u8`.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts(elements.as_ptr().cast(), size_of_val(elements))
    }
}

fn bytes_mut<T: Number>(elements: &mut [T]) -> &mut [u8] {
    // SAFETY: as in `bytes`, and any bytes are a number.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), size_of_val(elements))
    }
}

fn uninit<T: Number>(elements: &mut [T]) -> &mut [MaybeUninit<T>] {
    // SAFETY: the same layout, and only whole numbers are written through it.
    #[allow(unsafe_code)]
    unsafe {
        std::slice::from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len())
    }
}
