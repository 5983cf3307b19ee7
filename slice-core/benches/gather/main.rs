//! Compares slice-core's copies of slices with other crates' copies, with a `memcpy` of the output, and with the
//! [traffic floor](common::floor).
//!
//! `cargo bench -p slice-benches --bench gather [-- [--quick] [--strict] [--json FILE] [tiny|l2|l3|dram|gib ...] [part
//! of a row's name]]` prints Markdown tables. They contain the time of the `memcpy`, and all other times as ratios to
//! the `memcpy` and to the floor. The tables are followed by the rows that break one of the [rules](RULES). With
//! `--strict`, the exit code is 1 if a row breaks a rule.
//!
//! Times are medians. All candidates are measured in turn, in one process and on one thread, so that disturbances of
//! the machine affect all of them. Times include the copy and its planning, but no allocation: buffers are allocated
//! and touched beforehand, except in the columns for new arrays. Buffers use huge pages if NumPy would use them for
//! buffers of the same size, and begin at [offsets within a page](common::offset_buffer) that do not slow down copies.
//! With the feature `rayon`, additional columns show copies on all threads. After the rows of `l2`, a table shows
//! copies between [buffers with other offsets](page_offsets). The list of broken rules is followed by the rows whose
//! `memcpy` is [unreliable as a reference](common::reference).
//!
//! `--json` also writes the times as [data](common::record), to which `peers.py --json` adds the times of NumPy and
//! PyTorch.

#[path = "../common/mod.rs"]
mod common;
mod page_offsets;
mod peers;

use common::arguments::Arguments;
use common::element::{ArrayElement, bytes, bytes_mut, uninit};
use common::floor::Floor;
use common::offset_buffer::{self, OffsetBuffer};
use common::processor;
use common::tables::{Row, lesser_sets, tables, with_element_type};
use common::timing::Candidate;
use common::verdict::{Rule, Times};
use common::workloads::{Class, ElementType, Workload};
use rten_tensor::TensorView;
use slice_core::instruction_set;
use std::cell::RefCell;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::Instant;

const COLUMNS: [&str; 14] = [
    "memcpy",
    "floor",
    "slice-core",
    "slice-core, planned before",
    "slice-core AVX2",
    "slice-core SSSE3",
    "slice-core baseline",
    "slice-core, all threads",
    "ndarray assign",
    "rten",
    "slice-core, new array",
    "slice-core, new array, all threads",
    "ndarray to_owned",
    FIRST_NEW_ARRAY,
];

/// The column for the time of the first new array of a row, which is measured once.
const FIRST_NEW_ARRAY: &str = "slice-core, first new array";

/// The rules for the columns: a more capable instruction set must not be slower than a less capable one, no other crate
/// may be faster, and threads must not make a copy slower. Each rule has a tolerance.
const RULES: [Rule; 7] = [
    Rule {
        column: "slice-core",
        others: &["slice-core AVX2", "slice-core SSSE3", "slice-core baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "slice-core AVX2",
        others: &["slice-core SSSE3", "slice-core baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "slice-core SSSE3",
        others: &["slice-core baseline"],
        max_ratio: 1.1,
    },
    Rule {
        column: "slice-core",
        others: &["ndarray assign", "rten"],
        max_ratio: 1.05,
    },
    Rule {
        column: "slice-core, new array",
        others: &["ndarray to_owned"],
        max_ratio: 1.05,
    },
    Rule {
        column: "slice-core, all threads",
        others: &["slice-core"],
        max_ratio: 1.05,
    },
    Rule {
        column: "slice-core, new array, all threads",
        others: &["slice-core, new array"],
        max_ratio: 1.05,
    },
];

fn main() -> ExitCode {
    let arguments = Arguments::read(&[Class::Tiny, Class::L2, Class::L3, Class::Dram]);
    println!("{}", processor::describe());
    println!(
        "Most capable supported instruction set: {:?}.",
        instruction_set()
    );
    on_one_thread(|| {
        let code = tables(&arguments, "gather", &RULES, head, row);
        if arguments.every_row_of(Class::L2) {
            page_offsets::print(arguments.effort(Class::L2));
        }
        code
    })
}

/// Calls `run` in a thread pool with a single thread.
#[cfg(feature = "rayon")]
fn on_one_thread<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build();
    pool.expect("the thread pool should start").install(run)
}

#[cfg(not(feature = "rayon"))]
fn on_one_thread<R>(run: impl FnOnce() -> R) -> R {
    run()
}

/// Returns the header of a table.
fn head(class: Class) -> String {
    let unit = match class {
        Class::Tiny => ", nanoseconds, planning included",
        _ => "",
    };
    let rule = "--:|".repeat(COLUMNS.len());
    format!("{unit}\n\n| work | {} |\n|---|{rule}", COLUMNS.join(" | "))
}

fn row(row: Row<'_>) -> Times {
    let (work, class) = (row.work, row.class);
    let times = with_element_type!(measure(row));
    print(work, class, &times);
    times
}

/// Prints the times of a row as ratios to the `memcpy` and to the floor or, in the class `tiny`, in nanoseconds.
fn print(row: &Workload, class: Class, times: &Times) {
    let base = |column| {
        times
            .get(column)
            .expect("the column should have been measured")
    };
    let (memcpy, floor) = (base("memcpy"), base("floor"));
    let cell = |column: &str| match times.get(column) {
        None => String::new(),
        Some(time) if class == Class::Tiny => format!("{time:.0}"),
        Some(time) if column == "memcpy" => format!("{:.2} µs", time / 1e3),
        Some(time) => format!("{:.2} / {:.2}", time / memcpy, time / floor),
    };
    let cells: Vec<_> = COLUMNS.into_iter().map(cell).collect();
    println!("| {} | {} |", row.name, cells.join(" | "));
}

/// Measures each candidate that supports the slice, and checks the rules.
fn measure<T: ArrayElement>(row: Row<'_>) -> Times {
    let Row {
        work: row,
        class,
        effort,
        rules,
        verdict,
    } = row;
    let selection = &row.selection;
    let input = OffsetBuffer::new(
        offset_buffer::INPUT_OFFSET_BYTES,
        selection.input_len(),
        T::nth,
    );
    let started = Instant::now();
    let new = selection
        .gather(&input)
        .expect("the buffer should fit the selection");
    let first = started.elapsed().as_secs_f64() * 1e9;
    let expected: Vec<T> = selection.indices().map(|index| input[index]).collect();
    assert!(
        new == expected,
        "the new array contains the wrong elements: {}",
        row.name
    );
    drop(new);
    let output = OffsetBuffer::new(offset_buffer::OUTPUT_OFFSET_BYTES, selection.len(), |_| {
        T::default()
    });
    let output = RefCell::new(output);
    let floor = Floor::new(selection, size_of::<T>());
    let plan = selection.plan().unwrap();
    let tensor = TensorView::from_data(selection.input_shape(), &input[..]);
    let rten_items = peers::rten_items(selection);

    #[cfg(feature = "rayon")]
    let all_threads = rayon::ThreadPoolBuilder::new()
        .build()
        .expect("the threads should start");

    let mut candidates = vec![
        Candidate::new("memcpy", || {
            output
                .borrow_mut()
                .copy_from_slice(black_box(&input[..selection.len()]))
        }),
        Candidate::new("floor", || {
            floor.gather(
                bytes(black_box(&input)),
                bytes_mut(&mut output.borrow_mut()),
            )
        }),
        Candidate::new("slice-core", || {
            let gathered =
                black_box(selection).gather_into(black_box(&input), &mut output.borrow_mut());
            gathered.expect("the buffers should fit the selection");
        }),
        Candidate::new("slice-core, planned before", || {
            let gathered =
                black_box(&plan).gather_into(black_box(&input), &mut output.borrow_mut());
            gathered.expect("the buffers should fit the selection");
        }),
        Candidate::new("slice-core, new array", || {
            drop(black_box(black_box(selection).gather(black_box(&input))))
        }),
    ];
    for (name, limit) in lesser_sets(["slice-core AVX2", "slice-core SSSE3", "slice-core baseline"])
    {
        let (input, output) = (&input, &output);
        candidates.push(Candidate::new(name, move || {
            let plan = black_box(selection).plan().unwrap().at_most(limit);
            plan.gather_into(black_box(input), &mut output.borrow_mut())
                .expect("the buffers should fit the selection");
        }));
    }
    // Smaller outputs are not split between threads, but the pool could copy them on a different core. The time would
    // then include the transfer of the output to the cache of that core.
    #[cfg(feature = "rayon")]
    if selection.len() * size_of::<T>() >= 32 << 20 {
        candidates.push(Candidate::new("slice-core, all threads", || {
            let mut output = output.borrow_mut();
            let (input, output) = (black_box(&input[..]), &mut output[..]);
            let gathered = all_threads.install(|| black_box(selection).gather_into(input, output));
            gathered.expect("the buffers should fit the selection");
        }));
        candidates.push(Candidate::new("slice-core, new array, all threads", || {
            let input = black_box(&input[..]);
            drop(black_box(all_threads.install(|| selection.gather(input))))
        }));
    }
    let names = ["ndarray assign", "ndarray to_owned"];
    for (name, run) in names
        .into_iter()
        .zip(peers::ndarray(selection, &input, &output))
    {
        // `to_owned` keeps the memory order of a reversed slice, so it is a `memcpy` and does less work than the other
        // candidates.
        let reversed = selection.axes().unwrap().iter().any(|axis| axis.step() < 0);
        if !(reversed && name == "ndarray to_owned") {
            candidates.push(Candidate { name, run });
        }
    }
    if let Some(items) = &rten_items {
        candidates.push(Candidate::new("rten", || {
            let mut output = output.borrow_mut();
            // SAFETY: `rten_copy` writes only initialized elements.
            #[allow(unsafe_code)]
            let output = unsafe { uninit(&mut output) };
            peers::rten_copy(black_box(&tensor), items, output);
        }));
    }
    if class == Class::Gib {
        // Only new arrays and the columns with which they are compared are measured. The other columns would take
        // minutes, and their ratios are the same as for 256 MiB. In addition, freeing so much memory on small pages
        // would leave no huge pages for later measurements.
        let kept = [
            "memcpy",
            "floor",
            "slice-core",
            "slice-core, new array",
            "slice-core, new array, all threads",
        ];
        candidates.retain(|candidate| kept.contains(&candidate.name));
    }
    for candidate in &mut candidates {
        output.borrow_mut().fill(T::default());
        (candidate.run)();
        let not_checked = [
            "memcpy",
            "floor",
            "slice-core, new array",
            "slice-core, new array, all threads",
            "ndarray to_owned",
        ];
        let copied = not_checked.contains(&candidate.name) || output.borrow()[..] == expected[..];
        assert!(
            copied,
            "{} copied the wrong elements: {}",
            candidate.name, row.name
        );
    }
    drop(expected);
    let mut times =
        verdict.measure_row(&row.name, rules, || Times::measure(&mut candidates, effort));
    times.push(FIRST_NEW_ARRAY, first);
    times
}
