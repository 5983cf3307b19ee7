//! Compares slices of tensors to chains of burn's own operations that return the same elements, on burn's CPU backend.
//!
//! Run `cargo bench --manifest-path slice-burn/Cargo.toml`. Append `-- WORD` to measure only the rows whose names
//! contain WORD. After the time of a slice, the ratio to the time of burn's operations is printed in parentheses.

#[path = "../../slice-core/benches/common/report.rs"]
mod report;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "../../slice-core/benches/common/timing.rs"]
mod timing;

use std::hint::black_box;

use burn_tensor::{Int, Slice, Tensor, TensorData, s as burn_s};
use report::{Random, Report};
use slice_burn::TensorSliceExt;
use slice_core::s;
use timing::Candidate;

/// Checks that both functions return the same tensor, and measures them.
fn row<const R: usize>(
    report: &Report,
    name: &str,
    burn: impl Fn() -> Tensor<R>,
    ours: impl Fn() -> Tensor<R>,
) {
    if !report.is_requested(name) {
        return;
    }
    assert_eq!(burn().to_data(), ours().to_data(), "{name}");
    report.row(
        name,
        vec![
            Candidate::new("burn", || drop(black_box(burn()))),
            Candidate::new("ours", || drop(black_box(ours()))),
        ],
    );
}

fn main() {
    let report = &Report::from_arguments();
    let device = Default::default();
    let elements: Vec<f32> = (0..1 << 18).map(|x| x as f32).collect();
    let x = Tensor::<3>::from_data(TensorData::new(elements, [64, 64, 64]), &device);

    row(
        report,
        "x[3]",
        || x.clone().slice(3..4).squeeze_dim(0),
        || x.at(s![3]),
    );
    row(
        report,
        "x[1:, ..., :8]",
        || x.clone().slice(burn_s![1.., .., ..8]),
        || x.at(s![1:, ..., :8]),
    );
    row(
        report,
        "x[1:, 5, newaxis, :8]",
        || x.clone().slice(burn_s![1.., 5, ..8]),
        || x.at(s![1:, 5, newaxis, :8]),
    );
    row(report, "x[::-1]", || x.clone().flip([0]), || x.at(s![::-1]));
    row(
        report,
        "x[..., ::-1]",
        || x.clone().flip([2]),
        || x.at(s![..., ::-1]),
    );
    row(
        report,
        "x[:, 8:24, ::-2]",
        || {
            x.clone().slice([
                Slice::full(),
                Slice::new(8, Some(24), 1),
                Slice::new(0, None, -2),
            ])
        },
        || x.at(s![:, 8:24, ::-2]),
    );

    let mut random = Random(1);
    let list: Vec<usize> = (0..32).map(|_| random.below(64)).collect();
    let positions: Vec<i64> = list.iter().map(|&k| k as i64).collect();
    let indices = || Tensor::<1, Int>::from_data(TensorData::new(positions.clone(), [32]), &device);
    row(
        report,
        "x[list]",
        || x.clone().select(0, indices()),
        || x.at(s![&list]),
    );
    row(
        report,
        "x[..., list]",
        || x.clone().select(2, indices()),
        || x.at(s![..., &list]),
    );

    let value = Tensor::<3>::ones([64, 16, 64], &device);
    row(
        report,
        "x[:, 8:24] = value",
        || x.clone().slice_assign(burn_s![.., 8..24], value.clone()),
        || x.clone().set(s![:, 8:24], value.clone()),
    );
}
