//! Compares reading and writing with masks, and reading points, in slice-core with arrow-rs and, if requested, NumPy,
//! PyTorch and Polars.
//!
//! Run `cargo bench -p slice-benches --bench masks -- --python PATH`, where PATH is a Python interpreter with NumPy and
//! optionally PyTorch and Polars. Without `--python`, only Rust crates are measured. Append `10^6` or another part of the
//! names of rows to measure only these rows. A row consists of the times of the compared functions. The first time is that
//! of the floor, which reads an element of each cache line of the mask and of the array and, in rows that read, copies as
//! many bytes to an existing result as are selected. In rows with points, the floor is a loop over flat positions. In rows
//! that compare, which read `x[x > 0]`, the first time is that of slice-core's `x[mask]`. After each other time, the ratio to
//! the first is printed in parentheses.
//!
//! With glibc, mapping and clearing new memory takes most of the time of reading 10^8 elements, except in Polars, whose
//! allocator keeps the memory of earlier results. To measure all libraries with such an allocator, set the environment variable
//! `GLIBC_TUNABLES` to `glibc.malloc.mmap_max=0:glibc.malloc.trim_threshold=68719476736:glibc.malloc.hugetlb=1`.
//!
//! Each time is the shortest of several rounds. In each round, all functions of this process are measured in turn, and
//! then those of Python, so that a busy machine disturbs all of them.

#[path = "common/processor.rs"]
mod processor;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "common/report.rs"]
mod report;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "common/timing.rs"]
mod timing;

use std::fs;
use std::hint::black_box;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use arrow_array::types::{ArrowPrimitiveType, Float32Type, Float64Type, UInt8Type};
use arrow_array::{BooleanArray, PrimitiveArray, UInt8Array};
use ndarray::{Array1, Array2};
use report::Random;
use slice_core::{StridedSliceExt, py, request_huge_pages, s};
use timing::{Candidate, Effort, minima};

/// The file with the mask of a row, from which Python reads it, so that all libraries use the same mask.
const MASK_FILE: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/mask");

/// The process that measures the peers in Python.
struct Python {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl Python {
    fn start(interpreter: &str) -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/masks_peer.py");
        let mut process = Command::new(interpreter)
            .args([script, MASK_FILE])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the Python interpreter should start");
        let answers = process.stdout.take().expect("the output should be piped");
        let mut python = Python {
            process,
            answers: BufReader::new(answers),
        };
        println!("{}", python.answer());
        python
    }

    fn answer(&mut self) -> String {
        let mut line = String::new();
        self.answers
            .read_line(&mut line)
            .expect("the script should answer");
        line.trim_end().to_owned()
    }

    /// Measures the functions of one row once, and returns their names and times in nanoseconds.
    fn times(&mut self, row: &Row) -> Vec<(String, f64)> {
        let request = format!("{} {} {} {}\n", row.work, row.element, row.len, row.share);
        let input = self.process.stdin.as_mut();
        input
            .expect("the input should be piped")
            .write_all(request.as_bytes())
            .expect("the script should read its input");
        let answer = self.answer();
        let times = answer.split('\t').map(|time| {
            let (name, time) = time.rsplit_once(' ').expect("a time should have a name");
            (
                name.to_owned(),
                time.parse().expect("a time should be a number"),
            )
        });
        times.collect()
    }
}

/// The work that a row measures.
struct Row {
    /// `read`, `compare`, `write`, `fill` or `points`.
    work: &'static str,
    element: &'static str,
    len: usize,
    /// The proportion of the mask's elements that are true, or `runs` for 100 true elements followed by 100 false
    /// elements. For points, `L2` or `DRAM`, where the array fits.
    share: &'static str,
}

impl Row {
    fn name(&self) -> String {
        let len = match self.len {
            8 => "8".to_owned(),
            len => format!("10^{}", len.ilog10()),
        };
        format!("{} {} {len} {}", self.work, self.element, self.share)
    }

    /// Returns a mask with exactly the proportion of true elements, rounded to a whole number of elements.
    fn mask(&self) -> Vec<bool> {
        let mut random = Random(1);
        let per_1024 = match self.share {
            "1/2" => 512,
            "1/1024" => 1,
            "1023/1024" => 1023,
            _ => return filled(self.len, |i| i / 100 % 2 == 0),
        };
        let mut missing = (self.len * per_1024 + 512) / 1024;
        filled(self.len, |i| {
            let is_true = random.below(self.len - i) < missing;
            missing -= usize::from(is_true);
            is_true
        })
    }
}

/// The number of rounds, and the approximate time for which a function is repeated in a round.
fn effort(len: usize) -> (usize, Duration) {
    match len {
        ..10_000_000 => (12, Duration::from_millis(4)),
        _ => (4, Duration::ZERO),
    }
}

/// Prints the row. The first candidate is the floor.
fn report(row: &Row, mut candidates: Vec<Candidate<'_>>, python: &mut Option<Python>) {
    let (rounds, batch) = effort(row.len);
    let mut times: Vec<(String, f64)> = Vec::new();
    for _ in 0..rounds.min(4) {
        let effort = Effort {
            rounds: rounds / rounds.min(4),
            batch,
        };
        let names = candidates.iter().map(|candidate| candidate.name.to_owned());
        let names: Vec<String> = names.collect();
        let mut round: Vec<(String, f64)> = names
            .into_iter()
            .zip(minima(&mut candidates, effort))
            .collect();
        round.extend(python.iter_mut().flat_map(|python| python.times(row)));
        match times.is_empty() {
            true => times = round,
            false => {
                for ((_, shortest), (_, time)) in times.iter_mut().zip(round) {
                    *shortest = shortest.min(time);
                }
            }
        }
    }
    let floor = times[0].1;
    let cells = times.iter().map(|(name, time)| {
        let ratio = time / floor;
        format!("{name} {:.3} us ({ratio:.2})", time / 1e3)
    });
    println!(
        "{:<24} {}",
        row.name(),
        cells.collect::<Vec<_>>().join(" | ")
    );
}

/// Returns elements in memory for which huge pages are requested, as NumPy requests them for its arrays, so that the arrays of
/// all libraries have the same pages.
fn filled<T: Clone + Default>(len: usize, element: impl FnMut(usize) -> T) -> Vec<T> {
    let mut elements = vec![T::default(); len];
    request_huge_pages(&mut elements);
    for (to, element) in elements.iter_mut().zip((0..len).map(element)) {
        *to = element;
    }
    elements
}

/// Reads one element of each cache line.
fn read_lines<T: Copy>(elements: &[T]) {
    for element in elements.iter().step_by(64 / size_of::<T>()) {
        black_box(*element);
    }
}

fn measure<T: ArrowPrimitiveType>(
    row: &Row,
    python: &mut Option<Python>,
    element: impl Fn(u8) -> T::Native,
) where
    T::Native: Copy + Default + PartialOrd + 'static,
{
    let mask = &row.mask()[..];
    if python.is_some() {
        let bytes: Vec<u8> = mask.iter().map(|&is_true| u8::from(is_true)).collect();
        fs::write(MASK_FILE, bytes).expect("the folder of the file should be writable");
    }
    let elements = || {
        filled(row.len, |i| match row.work {
            "compare" => element(mask[i].into()),
            _ => element(i as u8),
        })
    };
    let mut array = Array1::from(elements());
    let trues = mask.iter().filter(|&&is_true| is_true).count();
    let values = Array1::from(filled(trues, |i| element((i * 3) as u8)));
    let one = element(7);
    if row.work == "compare" {
        let zero = element(0);
        let candidates = vec![
            Candidate::new("x[mask]", || {
                black_box(array.gather(s![&black_box(mask)]));
            }),
            Candidate::new("slice-core", || {
                black_box(py!(array[array > zero]));
            }),
        ];
        return report(row, candidates, python);
    }
    if row.work != "read" {
        let mut copy = elements();
        let mut candidates = vec![Candidate::new("floor", || {
            read_lines(black_box(mask));
            copy.fill(one);
        })];
        match row.work {
            "write" => candidates.push(Candidate::new("slice-core", || {
                array.set(s![&black_box(mask)], &values);
            })),
            _ => candidates.push(Candidate::new("slice-core", || {
                array.fill_at(s![&black_box(mask)], one);
            })),
        }
        return report(row, candidates, python);
    }
    let data = array.as_slice().expect("the array should be in C order");
    let results = || filled(trues, |_| one);
    let (mut copied, mut out, mut out_of_resolved) = (results(), results(), results());
    let resolved = s![&mask].resolve(&[row.len]);
    let resolved = resolved.expect("the mask should be as long as the axis");
    let arrow = PrimitiveArray::<T>::new(elements().into(), None);
    let bits = BooleanArray::from(mask.to_vec());
    // `BooleanArray::from_unary` on bytes is the fastest way to convert one `bool` per element to bits.
    let bytes = UInt8Array::from(filled(row.len, |i| u8::from(mask[i])));
    let filtered = |bits: &BooleanArray| {
        let filtered = arrow_select::filter::filter(&arrow, bits);
        black_box(filtered.expect("the mask should be as long as the array"));
    };
    let candidates = vec![
        Candidate::new("floor", || {
            read_lines(black_box(mask));
            read_lines(black_box(data));
            copied.copy_from_slice(black_box(values.as_slice().unwrap_or_default()));
        }),
        Candidate::new("slice-core", || {
            black_box(array.gather(s![&black_box(mask)]));
        }),
        Candidate::new("slice-core into", || {
            let resolved = s![&black_box(mask)].resolve(&[row.len]);
            let resolved = resolved.expect("the mask should be as long as the axis");
            resolved
                .gather_into(black_box(data), &mut out)
                .expect("the buffers should fit the selection");
        }),
        Candidate::new("slice-core resolved", || {
            black_box(array.gather(&resolved));
        }),
        Candidate::new("slice-core resolved into", || {
            resolved
                .gather_into(black_box(data), &mut out_of_resolved)
                .expect("the buffers should fit the selection");
        }),
        Candidate::new("arrow bools", || {
            filtered(&BooleanArray::from_unary(black_box(&bytes), |byte| {
                byte != 0
            }));
        }),
        Candidate::new("arrow bits", || filtered(black_box(&bits))),
    ];
    report(row, candidates, python);
}

/// Measures reading the elements of an array with two axes at random points.
fn measure_points(row: &Row, python: &mut Option<Python>) {
    let side = if row.share == "L2" { 256 } else { 8192 };
    let elements = filled(side * side, |k| (k / side * 31 + k % side) as f32);
    let array = Array2::from_shape_vec((side, side), elements);
    let array = array.expect("the length should match the shape");
    let data = array.as_slice().expect("the array should be in C order");
    let mut random = Random(1);
    let mut positions = || filled(row.len, |_| random.below(side) as i64);
    let (rows, columns) = (positions(), positions());
    let flat = filled(row.len, |k| (rows[k] * side as i64 + columns[k]) as u32);
    let resolved = s![zip(&rows, &columns)].resolve(&[side, side]);
    let resolved = resolved.expect("the points should be in bounds");
    let results = || filled(row.len, |_| 0.0);
    let (mut out, mut copied) = (results(), results());
    let candidates = vec![
        Candidate::new("floor", || {
            for (to, &position) in copied.iter_mut().zip(black_box(&flat)) {
                *to = data[position as usize];
            }
        }),
        Candidate::new("slice-core", || {
            black_box(array.gather(s![zip(&black_box(&rows), &columns)]));
        }),
        Candidate::new("slice-core resolving", || {
            let resolved = s![zip(&black_box(&rows), &columns)].resolve(&[side, side]);
            let _ = black_box(resolved.expect("the points should be in bounds"));
        }),
        Candidate::new("slice-core resolved into", || {
            resolved
                .gather_into(black_box(data), &mut out)
                .expect("the buffers should fit the selection");
        }),
    ];
    report(row, candidates, python);
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|word| word != "--bench");
    let (mut python, mut parts) = (None, Vec::new());
    println!("{}", processor::describe());
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--python" => {
                let interpreter = arguments.next();
                python = Some(Python::start(
                    &interpreter.expect("--python should have a value"),
                ));
            }
            _ => parts.push(argument),
        }
    }
    let is_requested = |row: &Row| {
        let name = row.name();
        parts.is_empty() || parts.iter().any(|part| name.contains(part.as_str()))
    };
    for len in [8, 1_000, 1_000_000] {
        for share in ["L2", "DRAM"] {
            let row = Row {
                work: "points",
                element: "f32",
                len,
                share,
            };
            if is_requested(&row) {
                measure_points(&row, &mut python);
            }
        }
    }
    for len in [1_000, 1_000_000, 100_000_000] {
        for work in ["read", "compare", "write", "fill"] {
            for element in ["u8", "f32", "f64"] {
                for share in ["1/2", "1/1024", "1023/1024", "runs"] {
                    let row = Row {
                        work,
                        element,
                        len,
                        share,
                    };
                    if !is_requested(&row) {
                        continue;
                    }
                    match element {
                        "u8" => measure::<UInt8Type>(&row, &mut python, |x| x),
                        "f32" => measure::<Float32Type>(&row, &mut python, f32::from),
                        _ => measure::<Float64Type>(&row, &mut python, f64::from),
                    }
                }
            }
        }
    }
}
