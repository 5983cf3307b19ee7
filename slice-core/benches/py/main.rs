//! Compares five statements in `py!` with the equivalent statements in ndarray and in NumPy.
//!
//! `cargo bench -p slice-benches --bench py [-- --quick]` prints a Markdown table with times in microseconds, and with
//! the ratio of `py!` to ndarray. If `NUMPY_PYTHON` is the path to a Python interpreter with NumPy, the script
//! `peer.py` in this folder runs the same statements at the same sizes. Times are medians. The measurements of the two
//! Rust versions alternate in one process, on one thread, with warm caches.

#![allow(
    clippy::reversed_empty_ranges,
    reason = "ndarray's `s![1..-1]` is written as a reversed range"
)]
#![allow(
    clippy::op_ref,
    reason = "ndarray's operators accept views only by reference"
)]

#[path = "../common/mod.rs"]
#[allow(dead_code, reason = "other benchmarks use the rest of this module")]
mod common;

use std::hint::black_box;
use std::process::Command;
use std::time::Duration;

use common::processor;
use common::timing::{Candidate, Effort, medians};
use ndarray::{Array, Array1, Array2, Array3, Axis, NewAxis, s};
use slice_core::py;

/// The statements, as they are written in Python.
const STATEMENTS: [&str; 5] = [
    "d = x[1:] - x[:-1]",
    "u[1:-1, 1:-1] += 0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]) - v[1:-1, 1:-1]",
    "p = e / e.sum(1)[:, None]",
    "canvas[8:-8, 8:-8, :3] = sprite[..., 2::-1]",
    "x[1:] = x[:-1]",
];

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let effort = Effort {
        rounds: if quick { 3 } else { 41 },
        batch: Duration::from_micros(if quick { 100 } else { 2000 }),
    };
    println!("{}\n", processor::describe());
    println!("| statement | `py!`, µs | ndarray, µs | ratio | NumPy, µs |\n|---|--:|--:|--:|--:|");
    let numpy = numpy(quick);
    for (index, statement) in STATEMENTS.iter().enumerate() {
        let [ours, ndarray] = measure(index, effort);
        let numpy = numpy
            .get(index)
            .map_or_else(String::new, |time| format!("{time:.1}"));
        println!(
            "| `{statement}` | {:.1} | {:.1} | {:.2} | {numpy} |",
            ours / 1e3,
            ndarray / 1e3,
            ours / ndarray
        );
    }
}

/// Returns the times of a statement in `py!` and with ndarray, in nanoseconds.
fn measure(statement: usize, effort: Effort) -> [f64; 2] {
    let both = |ours: &mut dyn FnMut(), ndarray: &mut dyn FnMut()| {
        let mut candidates = [
            Candidate::new("py!", ours),
            Candidate::new("ndarray", ndarray),
        ];
        let times = medians(&mut candidates, effort);
        [times[0], times[1]]
    };
    match statement {
        0 => {
            let x = numbers(100_000);
            both(&mut || drop(black_box(py!(x[1:] - x[:-1]))), &mut || {
                drop(black_box(&x.slice(s![1..]) - &x.slice(s![..-1])))
            })
        }
        1 => {
            let v = numbers(512 * 512)
                .into_shape_with_order((512, 512))
                .expect("the length should match the shape");
            let (mut ours, mut ndarrays) = (v.clone(), v.clone());
            both(&mut || diffuse(&mut ours, &v), &mut || {
                diffuse_by_hand(&mut ndarrays, &v)
            })
        }
        2 => {
            let e = numbers(256 * 1000)
                .into_shape_with_order((256, 1000))
                .expect("the length should match the shape");
            both(
                &mut || drop(black_box(py!(e / e.sum_axis(Axis(1))[:, None]))),
                &mut || {
                    let sums = e.sum_axis(Axis(1));
                    drop(black_box(&e / &sums.slice(s![.., NewAxis])));
                },
            )
        }
        3 => {
            let sprite = Array::from_shape_fn((496, 496, 4), |(i, j, k)| (i + j * k) as u8);
            let (mut ours, mut ndarrays) = (
                Array3::<u8>::zeros((512, 512, 4)),
                Array3::<u8>::zeros((512, 512, 4)),
            );
            both(
                &mut || py!(ours[8:-8, 8:-8, :3] = sprite[..., 2::-1]),
                &mut || {
                    // In ndarray, a negative step traverses the same range from its end, so `..3;-1` is `2::-1` in
                    // Python.
                    let reversed = sprite.slice(s![.., .., ..3;-1]);
                    ndarrays.slice_mut(s![8..-8, 8..-8, ..3]).assign(&reversed);
                },
            )
        }
        _ => {
            let (mut ours, mut ndarrays) = (numbers(100_000), numbers(100_000));
            both(&mut || py!(ours[1:] = ours[:-1]), &mut || {
                let copy = ndarrays.slice(s![..-1]).to_owned();
                ndarrays.slice_mut(s![1..]).assign(&copy);
            })
        }
    }
}

fn diffuse(u: &mut Array2<f64>, v: &Array2<f64>) {
    py!(u[1:-1, 1:-1] += 0.25 * (v[:-2, 1:-1] + v[2:, 1:-1] + v[1:-1, :-2] + v[1:-1, 2:]) - v[1:-1, 1:-1]);
}

fn diffuse_by_hand(u: &mut Array2<f64>, v: &Array2<f64>) {
    let sum = &v.slice(s![..-2, 1..-1])
        + &v.slice(s![2.., 1..-1])
        + &v.slice(s![1..-1, ..-2])
        + &v.slice(s![1..-1, 2..]);
    let change = 0.25 * sum - &v.slice(s![1..-1, 1..-1]);
    let mut inside = u.slice_mut(s![1..-1, 1..-1]);
    inside += &change;
}

fn numbers(len: usize) -> Array1<f64> {
    (0..len).map(|k| (37 * k % 101 + 1) as f64).collect()
}

/// Returns the time of each statement in NumPy in microseconds. `peer.py` prints each time on a separate line.
fn numpy(quick: bool) -> Vec<f64> {
    let Some(python) = std::env::var_os("NUMPY_PYTHON") else {
        return Vec::new();
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/py/peer.py");
    let output = Command::new(python)
        .arg(script)
        .args(quick.then_some("--quick"))
        .args(STATEMENTS)
        .output()
        .expect("NUMPY_PYTHON should be the path to a Python interpreter");
    assert!(
        output.status.success(),
        "peer.py failed: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let times = String::from_utf8(output.stdout).expect("the output should be UTF-8");
    times
        .lines()
        .map(|line| line.parse().expect("the line should be a number"))
        .collect()
}
