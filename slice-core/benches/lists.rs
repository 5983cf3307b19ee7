//! Compares gathers with lists and masks with ndarray's `select`, arrow-rs and a plain loop.
//!
//! Run `cargo bench -p slice-benches --bench lists`, or add `-- mask` for the rows with this word in their names. Each
//! row begins with the time of one `memcpy` of the result. Each other figure is a time and, in brackets, its ratio to
//! the `memcpy`. Times are the shortest of several rounds, measured in turns in one process. The floor reads one byte
//! of every touched cache line in the order of the list, and the floor in order reads the same number of lines from the
//! beginning. `lists_peer.py` measures NumPy and PyTorch.
//!
//! A candidate called "new" allocates the array of its result, and the others fill an existing array.

#[allow(dead_code, reason = "each benchmark uses only some of it")]
#[path = "common/timing.rs"]
mod timing;

use std::hint::black_box;
use std::time::Duration;

use arrow_array::{BooleanArray, Float32Array, PrimitiveArray, UInt8Array, UInt32Array};
use ndarray::{Array1, Array2, Axis};
use slice_core::{DynOuterSpec, OuterItem, OuterSelection, StridedSliceExt, s};
use timing::{Candidate, Effort, minima};

/// A random number generator with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// The requested rows.
struct Report {
    named: Vec<String>,
}

impl Report {
    fn asks_for(&self, name: &str) -> bool {
        self.named.is_empty() || self.named.iter().any(|part| name.contains(part))
    }

    fn row(&self, name: &str, mut candidates: Vec<Candidate<'_>>) {
        let effort = Effort {
            rounds: 25,
            batch: Duration::from_millis(5),
        };
        let times = minima(&mut candidates, effort);
        let copy = times[0];
        print!("{name:<36} {}", Time(copy));
        for (candidate, &time) in candidates.iter().zip(&times).skip(1) {
            print!(" | {} {} ({:.2})", candidate.name, Time(time), time / copy);
        }
        println!();
    }
}

/// A time in nanoseconds.
struct Time(f64);

impl std::fmt::Display for Time {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            time if time < 1e4 => write!(f, "{time:.0} ns"),
            time => write!(f, "{:.1} us", time / 1e3),
        }
    }
}

fn list(positions: &[usize]) -> OuterItem {
    OuterItem::Positions(positions.iter().map(|&position| position as i64).collect())
}

fn selection(items: Vec<OuterItem>, shape: &[usize]) -> OuterSelection {
    let spec = DynOuterSpec::from_items(items).expect("few items");
    spec.resolve(shape).expect("positions of the axes")
}

/// Measures copying rows that a list selects.
fn rows(report: &Report, name: &str, shape: [usize; 2], positions: &[usize]) {
    if !report.asks_for(name) {
        return;
    }
    let array = Array2::from_shape_fn(shape, |(i, j)| (i * 31 + j) as f32);
    let data = array.as_slice().expect("in order");
    let columns = shape[1];
    let chosen = selection(vec![list(positions)], &shape);
    let mut out = vec![0.0_f32; positions.len() * columns];
    let mut plain = out.clone();
    let mut copied = out.clone();
    let from = out.clone();
    let touched = |rows: &mut dyn Iterator<Item = usize>| {
        let mut sum = 0.0;
        for row in rows {
            for line in data[row * columns..][..columns].iter().step_by(16) {
                sum += line;
            }
        }
        black_box(sum);
    };
    report.row(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("floor", || touched(&mut positions.iter().copied())),
            Candidate::new("floor, in order", || touched(&mut (0..positions.len()))),
            Candidate::new("ours", || {
                chosen.gather_into(black_box(data), &mut out).expect("fits");
            }),
            Candidate::new("loop", || {
                for (to, &row) in plain.chunks_mut(columns).zip(positions) {
                    to.copy_from_slice(&black_box(data)[row * columns..][..columns]);
                }
            }),
            Candidate::new("ours, new", || {
                black_box(array.gather(&chosen));
            }),
            Candidate::new("ndarray select, new", || {
                black_box(array.select(Axis(0), positions));
            }),
        ],
    );
}

/// Compares copying runs of rows with a slice of the same elements.
fn runs(report: &Report, name: &str, run: usize) {
    if !report.asks_for(name) {
        return;
    }
    let (rows, columns) = (16_384, 16);
    let array = Array2::from_shape_fn((rows, columns), |(i, j)| (i * 31 + j) as f32);
    let data = array.as_slice().expect("in order");
    let sorted: Vec<usize> = (0..rows).filter(|i| (i / run).is_multiple_of(2)).collect();
    let chosen = selection(vec![list(&sorted)], &[rows, columns]);
    let same = s![:, 0].resolve(&[rows / run / 2, 2, run, columns]);
    let same = same.expect("an index of the axis");
    let mut out = vec![0.0_f32; sorted.len() * columns];
    let (mut sliced, mut copied, from) = (out.clone(), out.clone(), out.clone());
    report.row(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours", || {
                chosen.gather_into(black_box(data), &mut out).expect("fits");
            }),
            Candidate::new("the same slice", || {
                same.gather_into(black_box(data), &mut sliced)
                    .expect("fits");
            }),
            Candidate::new("ours, new", || {
                black_box(array.gather(&chosen));
            }),
            Candidate::new("ndarray select, new", || {
                black_box(array.select(Axis(0), &sorted));
            }),
        ],
    );
}

/// Measures copying single elements of the last axis.
fn elements<T: Copy + From<u8> + 'static>(
    report: &Report,
    name: &str,
    shape: [usize; 2],
    positions: &[usize],
    arrow: impl Fn(&[T], &UInt32Array),
) {
    if !report.asks_for(name) {
        return;
    }
    let array = Array2::from_shape_fn(shape, |(i, j)| T::from((i * 31 + j) as u8));
    let data = array.as_slice().expect("in order");
    let whole = OuterItem::Item(slice_core::Item::Ellipsis);
    let chosen = selection(vec![whole, list(positions)], &shape);
    let mut out = vec![T::from(0); positions.len() * shape[0]];
    let mut plain = out.clone();
    let mut copied = out.clone();
    let from = out.clone();
    let indices = UInt32Array::from_iter_values(positions.iter().map(|&k| k as u32));
    let mut candidates = vec![
        Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
        Candidate::new("ours", || {
            chosen.gather_into(black_box(data), &mut out).expect("fits");
        }),
        Candidate::new("loop", || {
            let rows = black_box(data).chunks(shape[1]);
            for (row, to) in rows.zip(plain.chunks_mut(positions.len())) {
                for (to, &k) in to.iter_mut().zip(positions) {
                    *to = row[k];
                }
            }
        }),
        Candidate::new("ours, new", || {
            black_box(array.gather(&chosen));
        }),
        Candidate::new("ndarray select, new", || {
            black_box(array.select(Axis(1), positions));
        }),
    ];
    if shape[0] == 1 {
        candidates.push(Candidate::new("arrow take, new", || arrow(data, &indices)));
    }
    report.row(name, candidates);
}

/// Measures copying a few columns of a table with many rows.
fn columns(report: &Report, name: &str, positions: &[usize]) {
    elements::<f32>(report, name, [1 << 14, 16], positions, |_, _| {});
}

fn taken<T: arrow_array::ArrowPrimitiveType>(values: &PrimitiveArray<T>, at: &UInt32Array) {
    black_box(arrow_select::take::take(values, at, None).expect("positions of the array"));
}

/// Measures copying with a mask, with and without the time to resolve it.
fn masked(report: &Report, name: &str, mask: &[bool]) {
    if !report.asks_for(name) {
        return;
    }
    let array = Array1::from_shape_fn(mask.len(), |i| i as f32);
    let data = array.as_slice().expect("in order");
    let trues = mask.iter().filter(|&&is_true| is_true).count();
    let mut copied = vec![0.0_f32; trues];
    let from = copied.clone();
    let values = Float32Array::from_iter_values(data.iter().copied());
    let bits = BooleanArray::from(mask.to_vec());
    let resolved = s![&mask].resolve(&[mask.len()]);
    let resolved = resolved.expect("as long as the axis");
    let mut out = copied.clone();
    let filtered = |bits: &BooleanArray| {
        black_box(arrow_select::filter::filter(&values, bits).expect("as long as the array"));
    };
    report.row(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours, new, resolved too", || {
                black_box(array.gather(s![&black_box(mask)]));
            }),
            Candidate::new("ours, resolving alone", || {
                let _ = black_box(s![&black_box(mask)].resolve(&[mask.len()]));
            }),
            Candidate::new("ours, resolved before", || {
                resolved
                    .gather_into(black_box(data), &mut out)
                    .expect("fits");
            }),
            Candidate::new("plain filter, new", || {
                let kept = data.iter().zip(black_box(mask)).filter(|(_, keep)| **keep);
                black_box(kept.map(|(x, _)| *x).collect::<Vec<f32>>());
            }),
            Candidate::new("arrow filter of bits, new", || {
                filtered(black_box(&bits));
            }),
            Candidate::new("arrow filter of bools, new", || {
                filtered(&BooleanArray::from(black_box(mask).to_vec()));
            }),
        ],
    );
}

fn main() {
    let arguments = std::env::args().skip(1);
    let report = Report {
        named: arguments.filter(|name| !name.starts_with("--")).collect(),
    };
    let mut random = Random(1);
    for (name, all) in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)] {
        let picked: Vec<usize> = (0..all / 2).map(|_| random.below(all)).collect();
        let name = format!("rows of 4 KiB at random, {name}");
        rows(&report, &name, [all, 1024], &picked);
    }
    for run in [16, 64, 1024] {
        let name = format!("sorted runs of {run} rows of 64 B");
        runs(&report, &name, run);
    }
    let eight = [5, 3, 60, 7, 7, 0, 12, 33];
    rows(&report, "8 positions", [64, 4], &eight);
    let chosen: Vec<usize> = (0..128).map(|_| random.below(256)).collect();
    elements::<f32>(
        &report,
        "x[:, columns], f32",
        [256, 256],
        &chosen,
        |_, _| {},
    );
    elements::<u8>(&report, "x[:, columns], u8", [512, 256], &chosen, |_, _| {});
    columns(&report, "x[:, [0, 2, 5]], 2^14 rows of f32", &[0, 2, 5]);
    let many: Vec<usize> = (0..1 << 16).map(|_| random.below(1 << 16)).collect();
    let (floats, bytes) = (many.len() as u32, many.len());
    let floats = Float32Array::from_iter_values((0..floats).map(|i| (i * 31) as u8 as f32));
    let bytes = UInt8Array::from_iter_values((0..bytes).map(|i| (i * 31) as u8));
    elements::<f32>(
        &report,
        "x[positions], f32",
        [1, 1 << 16],
        &many,
        |_, indices| {
            taken(&floats, indices);
        },
    );
    elements::<u8>(
        &report,
        "x[positions], u8",
        [1, 1 << 16],
        &many,
        |_, indices| {
            taken(&bytes, indices);
        },
    );
    for (name, kept) in [("1/2", 512), ("1023/1024", 1023), ("1/1024", 1)] {
        let mask: Vec<bool> = (0..1 << 18).map(|_| random.below(1024) < kept).collect();
        masked(&report, &format!("mask with {name} set"), &mask);
    }
    let name = "resolve 1,000,000 positions (beside 1 MB copied)";
    if report.asks_for(name) {
        let million: Vec<i64> = (0..1_000_000)
            .map(|_| random.below(1_000_000) as i64)
            .collect();
        let from = vec![0_u8; 1_000_000];
        let mut copied = from.clone();
        report.row(
            name,
            vec![
                Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
                Candidate::new("ours", || {
                    let resolved = s![&black_box(&million)[..]].resolve(&[1_000_000]);
                    let _ = black_box(resolved.expect("fits"));
                }),
            ],
        );
    }
}
