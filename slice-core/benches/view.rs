//! Compares creating a view with slice-core's `at` and with ndarray's `slice`. Each library has its own macro `s!`.
//!
//! Run `cargo bench -p slice-benches --bench view`. The two benchmarks of a pair do the same work. The arrays pass
//! through `black_box`, so that the compiler cannot evaluate a slice at compile time.

#![allow(
    clippy::reversed_empty_ranges,
    reason = "ndarray counts negative bounds from the end"
)]

use divan::{Bencher, black_box};
use ndarray::{Array2, Array3, ArrayD, IxDyn};
use slice_core::{StridedSliceExt, s};

fn main() {
    divan::main();
}

/// Defines two benchmarks of the same slice, with slice-core (`ours`) and with ndarray.
macro_rules! pair {
    ($group:ident, $name:literal, $array:expr, [$($ours:tt)*], [$($ndarray:tt)*]) => {
        #[divan::bench_group(name = $name)]
        mod $group {
            use super::*;

            #[divan::bench]
            fn ours(bencher: Bencher) {
                let a = $array;
                bencher.bench_local(|| black_box(black_box(&a).at(s![$($ours)*])));
            }

            #[divan::bench]
            fn ndarray(bencher: Bencher) {
                let a = $array;
                bencher.bench_local(|| black_box(black_box(&a).slice(ndarray::s![$($ndarray)*])));
            }
        }
    };
}

pair!(ranges, "a3[1:, :, ::2]", Array3::<f32>::zeros((16, 16, 16)), [1:, :, ::2], [1.., .., ..;2]);
pair!(
    run_time_bound,
    "a3[b:, 3, ::-1]",
    Array3::<f32>::zeros((16, 16, 16)),
    [(black_box(2_usize)):, 3, ::-1],
    [black_box(2_usize).., 3, ..;-1]
);
pair!(
    mixed,
    "a2[-1, newaxis, 2:-2]",
    Array2::<f32>::zeros((16, 16)),
    [-1, newaxis, 2:-2],
    [-1, ndarray::NewAxis, 2..-2]
);
pair!(
    dynamic,
    "ad[1:, :, ::2]",
    ArrayD::<f32>::zeros(IxDyn(&[16, 16, 16])),
    [1:, :, ::2],
    [1.., .., ..;2]
);
