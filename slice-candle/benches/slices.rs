//! Compares slices of tensors to chains of candle's own operations that return the same elements.
//!
//! Run `cargo bench --manifest-path slice-candle/Cargo.toml`. Append `-- WORD` to measure only the rows whose names
//! contain WORD. After the time of a slice, the ratio to the time of candle's operations is printed in parentheses.
//! Everything runs on one thread.

#[path = "../../slice-core/benches/common/report.rs"]
mod report;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "../../slice-core/benches/common/timing.rs"]
mod timing;

use std::hint::black_box;

use candle_core::{Device, Result, Tensor};
use report::{Random, Report};
use slice_candle::TensorSliceExt;
use slice_core::s;
use timing::Candidate;

/// Checks that both functions return the same tensor, and measures them.
fn row(
    report: &Report,
    name: &str,
    candle: impl Fn() -> Result<Tensor>,
    ours: impl Fn() -> std::result::Result<Tensor, slice_candle::Error>,
) {
    if !report.is_requested(name) {
        return;
    }
    let (expected, actual) = (candle().expect(name), ours().expect(name));
    let elements = |x: &Tensor| x.flatten_all()?.to_vec1::<f32>();
    assert_eq!(expected.dims(), actual.dims(), "{name}");
    assert_eq!(
        elements(&expected).expect(name),
        elements(&actual).expect(name),
        "{name}"
    );
    report.row(
        name,
        vec![
            Candidate::new("candle", || drop(black_box(candle()))),
            Candidate::new("ours", || drop(black_box(ours()))),
        ],
    );
}

fn main() {
    let report = Report::from_arguments();
    let x = Tensor::arange(0_f32, 262_144., &Device::Cpu).and_then(|x| x.reshape((64, 64, 64)));
    let x = x.expect("the tensor should have been created");
    let row = |name: &str,
               candle: &dyn Fn() -> Result<Tensor>,
               ours: &dyn Fn() -> std::result::Result<Tensor, slice_candle::Error>| {
        row(&report, name, candle, ours);
    };

    row("view x[3]", &|| x.get(3), &|| x.at(s![3]));
    row(
        "view x[1:, ..., :8]",
        &|| x.narrow(0, 1, 63)?.narrow(2, 0, 8),
        &|| x.at(s![1:, ..., :8]),
    );
    row(
        "view x[1:, 5, newaxis, :8]",
        &|| x.narrow(0, 1, 63)?.narrow(1, 5, 1)?.narrow(2, 0, 8),
        &|| x.at(s![1:, 5, newaxis, :8]),
    );
    row("copy x[::-1]", &|| x.flip(&[0]), &|| x.at(s![::-1]));
    row("copy x[..., ::-1]", &|| x.flip(&[2]), &|| {
        x.at(s![..., ::-1])
    });
    row(
        "copy x[:, 8:24, ::-1]",
        &|| x.narrow(1, 8, 16)?.contiguous()?.flip(&[2]),
        &|| x.at(s![:, 8:24, ::-1]),
    );
    row(
        "copy x[..., ::2], contiguous",
        &|| {
            let positions: Vec<u32> = (0..64).step_by(2).collect();
            x.index_select(&Tensor::new(positions, &Device::Cpu)?, 2)
        },
        &|| Ok(x.at(s![..., ::2])?.contiguous()?),
    );

    let mut random = Random(1);
    let list: Vec<usize> = (0..32).map(|_| random.below(64)).collect();
    let positions: Vec<i64> = list.iter().map(|&k| k as i64).collect();
    let index = |axis: usize| {
        let positions = Tensor::from_slice(&positions, positions.len(), &Device::Cpu)?;
        x.index_select(&positions, axis)
    };
    row("list x[list]", &|| index(0), &|| x.at(s![&list]));
    row("list x[..., list]", &|| index(2), &|| x.at(s![..., &list]));
    row(
        "list x[3, list]",
        &|| {
            let positions = Tensor::from_slice(&positions, positions.len(), &Device::Cpu)?;
            x.get(3)?.index_select(&positions, 0)
        },
        &|| x.at(s![3, &list]),
    );

    row(
        "list x[3, list], checked by hand",
        &|| {
            let checked = |&k: &usize| match k < x.dims()[1] {
                true => Ok(k as i64),
                false => candle_core::bail!("index {k} is out of bounds"),
            };
            let positions: Vec<i64> = list.iter().map(checked).collect::<Result<_>>()?;
            let positions = Tensor::new(positions, &Device::Cpu)?;
            x.get(3)?.index_select(&positions, 0)
        },
        &|| x.at(s![3, &list]),
    );

    let value = Tensor::ones((64, 16, 64), candle_core::DType::F32, &Device::Cpu);
    let value = value.expect("the tensor should have been created");
    row(
        "set x[:, 8:24] = value",
        &|| x.slice_assign(&[0..64, 8..24, 0..64], &value),
        &|| x.set(s![:, 8:24], &value),
    );
}
