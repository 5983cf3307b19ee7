//! Compares slice-core's gathers with lists to ndarray's `select`, arrow-rs and a plain loop. The benchmark `masks`
//! measures masks and points.
//!
//! Run `cargo bench -p slice-benches --bench lists`. Append `-- WORD` to measure only the rows whose names contain
//! WORD, or `-- --quick` to measure each row once. A row consists of the times of the compared functions, called
//! *candidates*. The first time is that of one `memcpy` of the result. After each other time, the ratio to the `memcpy`
//! is printed in parentheses. Each time is the shortest of several rounds, in which all candidates are measured in turn
//! in one process. `lists_peer.py` measures NumPy and PyTorch.
//!
//! The candidate "floor" reads one element of every touched cache line in the order of the list. The candidate "floor,
//! in order" reads the same number of lines, but in memory order. The difference between their times is the cost of the
//! cache misses. A gather of random rows should take at most 1.1 times as long as the `memcpy`, plus this cost. The
//! candidate "memcpy of each row" copies the rows in the order of the list.
//!
//! A candidate whose name contains "new" allocates the array of its result. All other copies fill an existing array.

#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "common/element.rs"]
mod element;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "common/offset_buffer.rs"]
mod offset_buffer;
#[path = "common/report.rs"]
mod report;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "common/timing.rs"]
mod timing;

use std::cell::RefCell;
use std::hint::black_box;

use arrow_array::{Float32Array, PrimitiveArray, UInt8Array, UInt32Array};
use ndarray::{Array2, ArrayView2, Axis};
use offset_buffer::{INPUT_OFFSET_BYTES, OUTPUT_OFFSET_BYTES, OffsetBuffer};
use report::{Random, Report};
use slice_core::{DynSliceSpec, Item, Selection, StridedSliceExt, s};
use timing::Candidate;

fn list(positions: &[usize]) -> Item {
    let positions = positions.iter().map(|&position| position as i64);
    Item::List(positions.collect::<Vec<i64>>().into())
}

fn selection(items: Vec<Item>, shape: &[usize]) -> Selection {
    let spec = DynSliceSpec::from_items(items).expect("the spec should have at most 64 items");
    spec.resolve(shape)
        .expect("the positions should be in bounds")
}

/// Measures copying rows selected by a list.
fn rows(report: &Report, name: &str, shape: [usize; 2], positions: &[usize]) {
    if !report.is_requested(name) {
        return;
    }
    let columns = shape[1];
    let data = OffsetBuffer::new(INPUT_OFFSET_BYTES, shape[0] * columns, |k| {
        (k % 1031) as f32
    });
    let array = ArrayView2::from_shape(shape, &data).expect("the length should match the shape");
    let data = &data[..];
    let chosen = selection(vec![list(positions)], &shape);
    // All candidates fill the same buffer, because on some machines, copies to one buffer take at least 1.5 times as
    // long as copies to another.
    let out = OffsetBuffer::new(OUTPUT_OFFSET_BYTES, positions.len() * columns, |_| 0.0_f32);
    let out = RefCell::new(out);
    let touch_rows = |rows: &mut dyn Iterator<Item = usize>| {
        // Sums integers, because summing floats would take as long as the cache misses.
        let mut sum = 0_u32;
        for row in rows {
            for line in data[row * columns..][..columns].iter().step_by(16) {
                sum = sum.wrapping_add(line.to_bits());
            }
        }
        black_box(sum);
    };
    report.row(
        name,
        vec![
            Candidate::new("memcpy", || {
                let mut out = out.borrow_mut();
                let len = out.len();
                out.copy_from_slice(&black_box(data)[..len]);
            }),
            Candidate::new("floor", || touch_rows(&mut positions.iter().copied())),
            Candidate::new("floor, in order", || touch_rows(&mut (0..positions.len()))),
            Candidate::new("ours", || {
                let mut out = out.borrow_mut();
                chosen
                    .gather_into(black_box(data), &mut out)
                    .expect("the buffers should fit the selection");
            }),
            Candidate::new("memcpy of each row", || {
                let mut out = out.borrow_mut();
                for (to, &row) in out.chunks_mut(columns).zip(positions) {
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

/// Compares copying runs of rows selected by a list with copying the same elements as a slice without lists.
fn runs(report: &Report, name: &str, run: usize) {
    if !report.is_requested(name) {
        return;
    }
    let (rows, columns) = (16_384, 16);
    let array = Array2::from_shape_fn((rows, columns), |(i, j)| (i * 31 + j) as f32);
    let data = array.as_slice().expect("the array should be in C order");
    let sorted: Vec<usize> = (0..rows).filter(|i| (i / run).is_multiple_of(2)).collect();
    let chosen = selection(vec![list(&sorted)], &[rows, columns]);
    let slice = s![:, 0].resolve(&[rows / run / 2, 2, run, columns]);
    let slice = slice.expect("the slice should fit the shape");
    let mut out = vec![0.0_f32; sorted.len() * columns];
    let (mut sliced, mut copied, from) = (out.clone(), out.clone(), out.clone());
    report.row(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours", || {
                chosen
                    .gather_into(black_box(data), &mut out)
                    .expect("the buffers should fit the selection");
            }),
            Candidate::new("the same slice", || {
                slice
                    .gather_into(black_box(data), &mut sliced)
                    .expect("the buffers should fit the selection");
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

/// Measures copying single elements at positions of the last axis.
fn elements<T: Copy + From<u8> + 'static>(
    report: &Report,
    name: &str,
    shape: [usize; 2],
    positions: &[usize],
    arrow: impl Fn(&[T], &UInt32Array),
) {
    if !report.is_requested(name) {
        return;
    }
    let array = Array2::from_shape_fn(shape, |(i, j)| T::from((i * 31 + j) as u8));
    let data = array.as_slice().expect("the array should be in C order");
    let whole = Item::Ellipsis;
    let chosen = selection(vec![whole, list(positions)], &shape);
    let mut out = vec![T::from(0); positions.len() * shape[0]];
    let mut plain = out.clone();
    let mut copied = out.clone();
    let from = out.clone();
    let indices = UInt32Array::from_iter_values(positions.iter().map(|&k| k as u32));
    let mut candidates = vec![
        Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
        Candidate::new("ours", || {
            chosen
                .gather_into(black_box(data), &mut out)
                .expect("the buffers should fit the selection");
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

fn take_with_arrow<T: arrow_array::ArrowPrimitiveType>(
    values: &PrimitiveArray<T>,
    indices: &UInt32Array,
) {
    black_box(
        arrow_select::take::take(values, indices, None).expect("the positions should be in bounds"),
    );
}

fn main() {
    let report = Report::from_arguments();
    let mut random = Random(1);
    for (name, all) in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)] {
        let picked: Vec<usize> = (0..all / 2).map(|_| random.below(all)).collect();
        let name = format!("random rows of 4 KiB, {name}");
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
    let positions: Vec<usize> = (0..1 << 16).map(|_| random.below(1 << 16)).collect();
    let (floats, bytes) = (positions.len() as u32, positions.len());
    let floats = Float32Array::from_iter_values((0..floats).map(|i| (i * 31) as u8 as f32));
    let bytes = UInt8Array::from_iter_values((0..bytes).map(|i| (i * 31) as u8));
    elements::<f32>(
        &report,
        "x[positions], f32",
        [1, 1 << 16],
        &positions,
        |_, indices| {
            take_with_arrow(&floats, indices);
        },
    );
    elements::<u8>(
        &report,
        "x[positions], u8",
        [1, 1 << 16],
        &positions,
        |_, indices| {
            take_with_arrow(&bytes, indices);
        },
    );
    let name = "resolve 1,000,000 positions (compared with copying 1 MB)";
    if report.is_requested(name) {
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
                    let _ = black_box(resolved.expect("the slice should fit the shape"));
                }),
            ],
        );
    }
}
