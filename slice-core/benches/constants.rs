//! Measures copies with different values of the constants in `slice-core/src/copy/tuning.rs`, to check whether the
//! constants suit the current processor.
//!
//! `cargo bench -p slice-benches --features tuning --bench constants [-- strings|streams|distance|pages ...]` prints a
//! table for each of these words. The first number in a row is a time in microseconds, and the others are ratios to
//! this time. Each time is the 20th percentile over many rounds. In each round, the copy is timed once with each value
//! of the constant.

mod common {
    #[path = "element.rs"]
    #[allow(dead_code, reason = "each benchmark uses only a part of this module")]
    pub mod element;
    #[path = "offset_buffer.rs"]
    pub mod offset_buffer;
    #[path = "processor.rs"]
    #[allow(dead_code, reason = "each benchmark uses only a part of this module")]
    pub mod processor;
    #[path = "timing.rs"]
    #[allow(dead_code, reason = "each benchmark uses only a part of this module")]
    pub mod timing;
}

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Duration;

use common::offset_buffer::{self, OffsetBuffer};
use common::processor;
use common::timing::{Candidate, Effort, lower_fifths};
use slice_core::tuning::{self, Tuned};
use slice_core::{Selection, s};

/// A size that is larger than any output.
const ABOVE_ALL_SIZES: usize = 1 << 40;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let named: Vec<&str> = words.iter().map(String::as_str).collect();
    let named: Vec<&str> = named
        .into_iter()
        .filter(|word| !word.starts_with("--"))
        .collect();
    println!("{}", processor::describe());
    for (name, measure) in [
        ("strings", strings as fn()),
        ("streams", streams),
        ("distance", distance),
        ("pages", pages),
    ] {
        if named.is_empty() || named.contains(&name) {
            measure();
        }
    }
}

/// Prints a row of a table: the time of copying a selection with each value of a constant. If `new` is true, the copy
/// allocates its output.
fn row(name: &str, selection: &Selection, constant: &'static Tuned, values: &[usize], new: bool) {
    let original = constant.get();
    let input = OffsetBuffer::new(
        offset_buffer::INPUT_OFFSET_BYTES,
        selection.input_len(),
        |i| i as f32,
    );
    let output = OffsetBuffer::new(offset_buffer::OUTPUT_OFFSET_BYTES, selection.len(), |_| {
        0.0_f32
    });
    let output = RefCell::new(output);
    let candidates = values.iter().map(|&value| {
        let (input, output) = (&input, &output);
        Candidate::new("", move || {
            constant.set(value);
            match new {
                true => drop(black_box(selection.gather(black_box(input)))),
                false => {
                    let mut output = output.borrow_mut();
                    let copied = selection.gather_into(black_box(input), &mut output);
                    copied.expect("the buffers should fit the selection");
                }
            }
        })
    });
    let batch = Duration::from_micros(if selection.len() < 1 << 22 { 500 } else { 0 });
    let times = lower_fifths(
        &mut candidates.collect::<Vec<_>>(),
        Effort { rounds: 41, batch },
    );
    constant.set(original);
    let ratios: Vec<String> = times[1..]
        .iter()
        .map(|time| format!("{:.2}", time / times[0]))
        .collect();
    println!(
        "| {name} | {:.1} | {} |",
        times[0] / 1e3,
        ratios.join(" | ")
    );
}

fn head(title: &str, columns: &[&str]) {
    println!("\n## {title}\n\n| copy | {} |", columns.join(" | "));
    println!("|---|{}", "--:|".repeat(columns.len()));
}

/// Returns a selection of `total` bytes in rows of `bytes` bytes, with a 64-byte gap between any two rows.
fn rows(bytes: usize, total: usize) -> Selection {
    let shape = [total / bytes, bytes / 4 + 16];
    s![:, 8:-8]
        .resolve(&shape)
        .expect("the slice should fit the shape")
}

/// Compares copying each run with vector instructions to copying it with `memcpy`, which uses string instructions.
fn strings() {
    head("Runs copied by `memcpy`", &["vectors, µs", "`memcpy`"]);
    for (size, total) in [("128 KiB", 128 << 10), ("4 MiB", 4 << 20)] {
        for bytes in [1, 2, 4, 8, 16].map(|kib| kib << 10) {
            let name = format!("{size} in runs of {} KiB", bytes >> 10);
            row(
                &name,
                &rows(bytes, total),
                &tuning::MIN_STRING_COPY_BYTES,
                &[ABOVE_ALL_SIZES, 1],
                false,
            );
        }
    }
}

/// Compares ordinary stores with stores that bypass the caches.
fn streams() {
    head(
        "Outputs written with streaming stores",
        &["ordinary, µs", "streaming"],
    );
    for mib in [4, 8, 16, 32, 64] {
        let bytes = mib << 20;
        let halves = s![:, ::2]
            .resolve(&[bytes >> 12, 2048])
            .expect("the slice should fit the shape");
        let reversed = s![:, ::-1]
            .resolve(&[bytes >> 12, 1024])
            .expect("the slice should fit the shape");
        for (name, selection) in [
            ("rows of 4 KiB", rows(4096, bytes)),
            ("`[:, ::2]`", halves),
            ("`[:, ::-1]`", reversed),
        ] {
            let name = format!("{mib} MiB, {name}");
            row(
                &name,
                &selection,
                &tuning::MIN_STREAMED_EIGHTHS,
                &[ABOVE_ALL_SIZES >> 20, 0],
                false,
            );
        }
    }
}

/// Compares prefetch distances for streamed outputs.
fn distance() {
    let values = [1, 2, 4, 8, 16, 32].map(|kib| kib << 10);
    head(
        "Prefetch distances in KiB",
        &["1, µs", "2", "4", "8", "16", "32"],
    );
    for (rows, bytes) in [(65536, 1024), (16384, 4096), (2048, 32768)] {
        let name = format!("64 MiB in runs of {} KiB", bytes >> 10);
        row(
            &name,
            &self::rows(bytes, rows * bytes),
            &tuning::RUN_PREFETCH_DISTANCE_BYTES,
            &values,
            false,
        );
    }
    let reversed = s![:, ::-1]
        .resolve(&[16384, 1024])
        .expect("the slice should fit the shape");
    let halves = s![:, ::2]
        .resolve(&[16384, 2048])
        .expect("the slice should fit the shape");
    for (name, selection) in [
        ("64 MiB, `[:, ::-1]`", reversed),
        ("64 MiB, `[:, ::2]`", halves),
    ] {
        row(
            name,
            &selection,
            &tuning::SHUFFLE_PREFETCH_DISTANCE_BYTES,
            &values,
            false,
        );
    }
}

/// Compares new arrays on small pages with new arrays for which huge pages are requested.
fn pages() {
    head(
        "Huge pages for new arrays",
        &["not requested, µs", "requested"],
    );
    for mib in [1, 2, 4, 8, 16, 32, 64] {
        let name = format!("{mib} MiB");
        row(
            &name,
            &rows(4096, mib << 20),
            &tuning::MIN_HUGE_PAGE_REQUEST_BYTES,
            &[ABOVE_ALL_SIZES, 1],
            true,
        );
    }
}
