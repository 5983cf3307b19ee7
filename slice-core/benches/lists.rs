//! Lists and masks: rows, single elements and masks, beside ndarray's `select`, a plain loop, and a copy of as many bytes.
//!
//! `cargo bench -p slice-benches --bench lists`. Each figure is the median time divided by that of one `memcpy` of the result, in
//! the same process and in turn. The floor reads one byte of every cache line that is touched. `lists_peer.py` asks NumPy and
//! PyTorch the same.

#[allow(dead_code, reason = "each benchmark uses its part")]
#[path = "common/timing.rs"]
mod timing;

use std::hint::black_box;
use std::time::Duration;

use ndarray::{Array1, Array2, Axis};
use slice_core::{DynOuterSpec, OuterItem, OuterSelection, StridedSliceExt};
use timing::{Candidate, Effort, medians};

/// Returns positions that are equal on every machine.
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

fn list(positions: &[usize]) -> OuterItem {
    OuterItem::Positions(positions.iter().map(|&position| position as i64).collect())
}

fn selection(items: Vec<OuterItem>, shape: &[usize]) -> OuterSelection {
    let spec = DynOuterSpec::from_items(items).expect("few items");
    spec.resolve(shape).expect("positions of the axes")
}

fn report(name: &str, mut candidates: Vec<Candidate<'_>>) {
    let effort = Effort {
        rounds: 15,
        batch: Duration::from_millis(10),
    };
    let times = medians(&mut candidates, effort);
    let copy = times[0];
    print!("{name:<44} {:>9.0} ns", copy);
    for (candidate, time) in candidates.iter().zip(&times).skip(1) {
        print!("  {} {:.2}", candidate.name, time / copy);
    }
    println!();
}

/// Rows of `columns` elements picked by a list.
fn rows(name: &str, shape: [usize; 2], positions: &[usize]) {
    let array = Array2::from_shape_fn(shape, |(i, j)| (i * 31 + j) as f32);
    let data = array.as_slice().expect("in order");
    let columns = shape[1];
    let chosen = selection(vec![list(positions)], &shape);
    let mut out = vec![0.0_f32; positions.len() * columns];
    let mut plain = out.clone();
    let mut copied = out.clone();
    let from = out.clone();
    let floor = || {
        let mut sum = 0.0;
        for &row in positions {
            for line in data[row * columns..][..columns].iter().step_by(16) {
                sum += line;
            }
        }
        black_box(sum);
    };
    report(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("floor", floor),
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

/// Single elements of the last axis.
fn elements<T: Copy + From<u8> + 'static>(name: &str, shape: [usize; 2], positions: &[usize]) {
    let array = Array2::from_shape_fn(shape, |(i, j)| T::from((i * 31 + j) as u8));
    let data = array.as_slice().expect("in order");
    let whole = OuterItem::Item(slice_core::Item::Ellipsis);
    let chosen = selection(vec![whole, list(positions)], &shape);
    let mut out = vec![T::from(0); positions.len() * shape[0]];
    let mut copied = out.clone();
    let from = out.clone();
    report(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours", || {
                chosen.gather_into(black_box(data), &mut out).expect("fits");
            }),
            Candidate::new("ours, new", || {
                black_box(array.gather(&chosen));
            }),
            Candidate::new("ndarray select, new", || {
                black_box(array.select(Axis(1), positions));
            }),
        ],
    );
}

/// A mask, with the time to resolve it.
fn masked(name: &str, mask: &[bool]) {
    let array = Array1::from_shape_fn(mask.len(), |i| i as f32);
    let data = array.as_slice().expect("in order");
    let trues = mask.iter().filter(|&&is_true| is_true).count();
    let mut copied = vec![0.0_f32; trues];
    let from = copied.clone();
    report(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours, new, resolved too", || {
                black_box(array.gather(slice_core::s![&black_box(mask)]));
            }),
            Candidate::new("plain filter, new", || {
                let kept = data.iter().zip(black_box(mask)).filter(|(_, keep)| **keep);
                black_box(kept.map(|(x, _)| *x).collect::<Vec<f32>>());
            }),
        ],
    );
}

fn main() {
    let mut random = Random(1);
    for (name, all) in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)] {
        let picked: Vec<usize> = (0..all / 2).map(|_| random.below(all)).collect();
        rows(
            &format!("rows of 4 KiB at random, {name}"),
            [all, 1024],
            &picked,
        );
    }
    let sorted: Vec<usize> = (0..16_384).filter(|i| i / 64 % 2 == 0).collect();
    rows("sorted runs of 64 rows of 64 B", [16_384, 16], &sorted);
    rows("8 positions", [64, 4], &[5, 3, 60, 7, 7, 0, 12, 33]);
    let columns: Vec<usize> = (0..128).map(|_| random.below(256)).collect();
    elements::<f32>("x[:, columns], f32", [256, 256], &columns);
    elements::<u8>("x[:, columns], u8", [512, 256], &columns);
    let many: Vec<usize> = (0..1 << 16).map(|_| random.below(1 << 16)).collect();
    elements::<f32>("x[positions], f32", [1, 1 << 16], &many);
    elements::<u8>("x[positions], u8", [1, 1 << 16], &many);
    for (name, kept) in [("1/2", 512), ("1023/1024", 1023), ("1/1024", 1)] {
        let mask: Vec<bool> = (0..1 << 18).map(|_| random.below(1024) < kept).collect();
        masked(&format!("mask with {name} set"), &mask);
    }
    let million: Vec<i64> = (0..1_000_000)
        .map(|_| random.below(1_000_000) as i64)
        .collect();
    let from = vec![0_u8; 1_000_000];
    let mut copied = from.clone();
    report(
        "resolve 1,000,000 positions (beside 1 MB copied)",
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(&from))),
            Candidate::new("ours", || {
                let resolved = slice_core::s![&black_box(&million)[..]].resolve(&[1_000_000]);
                let _ = black_box(resolved.expect("fits"));
            }),
        ],
    );
}
