//! Compares four methods of copying slices of arrays with constant shapes: `StaticPlan`, hand-written loops, ndarray's
//! `assign` of an ndarray slice, and `CopyPlan`, which is created at run time and selects a kernel for the processor.
//!
//! Run `cargo bench -p slice-benches --bench static_shape`. All candidates write to an existing buffer, and both plans
//! are created before the measurement.

#![allow(
    clippy::manual_memcpy,
    clippy::needless_range_loop,
    clippy::reversed_empty_ranges,
    reason = "the loops are written by hand, and ndarray counts negative bounds from the end"
)]

use divan::{Bencher, black_box};
use ndarray::{ArrayD, Ix2, Ix3, IxDyn};
use slice_core::{NestedArray, s};

fn main() {
    divan::main();
}

/// Defines the benchmarks of one copy. `$input` and `$output` are the initial values of the arrays.
macro_rules! copies {
    (
        $group:ident, $name:literal, $input:expr => $A:ty, $output:expr => $B:ty,
        [$($items:tt)*], [$($ndarray:tt)*], $Dim:ident, $flat:ident $flat_mut:ident,
        |$x:ident, $out:ident| $by_hand:block
    ) => {
        #[divan::bench_group(name = $name)]
        mod $group {
            use super::*;

            fn run(bencher: Bencher, copy: impl Fn(&$A, &mut $B)) {
                let (x, mut out) = ($input, $output);
                bencher.bench_local(|| copy(black_box(&x), black_box(&mut out)));
            }

            #[divan::bench]
            fn by_hand(bencher: Bencher) {
                run(bencher, |$x, $out| $by_hand);
            }

            #[divan::bench]
            fn static_plan(bencher: Bencher) {
                run(bencher, |x, out| const { s![$($items)*].static_plan() }.gather_into(x, out));
            }

            #[divan::bench]
            fn gather_plan(bencher: Bencher) {
                let plan = s![$($items)*].resolve(<$A>::SHAPE).expect("the slice should fit the shape").plan().unwrap();
                run(bencher, |x, out| plan.gather_into($flat!(x), $flat_mut!(out)).expect("the buffers should fit the selection"));
            }

            #[divan::bench]
            fn ndarray(bencher: Bencher) {
                type Element = <$A as NestedArray>::Element;
                let array = |shape| ArrayD::<Element>::zeros(IxDyn(shape)).into_dimensionality::<$Dim>();
                let x = array(<$A>::SHAPE).expect("the length should match the shape");
                let mut out = array(<$B>::SHAPE).expect("the length should match the shape");
                bencher.bench_local(|| {
                    black_box(&mut out).assign(&black_box(&x).slice(ndarray::s![$($ndarray)*]));
                });
            }
        }
    };
}

macro_rules! flat2 {
    ($x:expr) => {
        $x.as_flattened()
    };
}

macro_rules! flat2_mut {
    ($x:expr) => {
        $x.as_flattened_mut()
    };
}

macro_rules! flat3 {
    ($x:expr) => {
        $x.as_flattened().as_flattened()
    };
}

macro_rules! flat3_mut {
    ($x:expr) => {
        $x.as_flattened_mut().as_flattened_mut()
    };
}

copies!(
    crop, "f32 [8:-8, 8:-8] of 256 x 256",
    [[1.0; 256]; 256] => [[f32; 256]; 256], [[0.0; 240]; 240] => [[f32; 240]; 240],
    [8:-8, 8:-8], [8..-8, 8..-8], Ix2, flat2 flat2_mut,
    |x, out| {
        for i in 0..240 {
            for j in 0..240 {
                out[i][j] = x[i + 8][j + 8];
            }
        }
    }
);

copies!(
    every_second, "f32 [..., ::2] of 256 x 256",
    [[1.0; 256]; 256] => [[f32; 256]; 256], [[0.0; 128]; 256] => [[f32; 128]; 256],
    [..., ::2], [.., ..;2], Ix2, flat2 flat2_mut,
    |x, out| {
        for i in 0..256 {
            for j in 0..128 {
                out[i][j] = x[i][2 * j];
            }
        }
    }
);

copies!(
    mirrored, "f32 [..., ::-1] of 256 x 256",
    [[1.0; 256]; 256] => [[f32; 256]; 256], [[0.0; 256]; 256] => [[f32; 256]; 256],
    [..., ::-1], [.., ..;-1], Ix2, flat2 flat2_mut,
    |x, out| {
        for i in 0..256 {
            for j in 0..256 {
                out[i][j] = x[i][255 - j];
            }
        }
    }
);

copies!(
    bgr, "u8 [..., 2::-1] of 256 x 256 x 4",
    [[[1; 4]; 256]; 256] => [[[u8; 4]; 256]; 256], [[[0; 3]; 256]; 256] => [[[u8; 3]; 256]; 256],
    [..., 2::-1], [.., .., 0..3;-1], Ix3, flat3 flat3_mut,
    |x, out| {
        for i in 0..256 {
            for j in 0..256 {
                for k in 0..3 {
                    out[i][j][k] = x[i][j][2 - k];
                }
            }
        }
    }
);

copies!(
    tiny, "f32 [1:, :, ::2] of 4 x 4 x 4",
    [[[1.0; 4]; 4]; 4] => [[[f32; 4]; 4]; 4], [[[0.0; 2]; 4]; 3] => [[[f32; 2]; 4]; 3],
    [1:, :, ::2], [1.., .., ..;2], Ix3, flat3 flat3_mut,
    |x, out| {
        for i in 0..3 {
            for j in 0..4 {
                for k in 0..2 {
                    out[i][j][k] = x[i + 1][j][2 * k];
                }
            }
        }
    }
);
