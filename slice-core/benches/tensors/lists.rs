//! Compares slice-core's gathers with lists of positions to candle's `index_select` and burn's `select` (in
//! `burn-flex`).
//!
//! Run `cargo bench --manifest-path slice-core/benches/tensors/Cargo.toml`. Append `-- WORD` to measure only the rows
//! whose names contain WORD. The build takes many minutes. A row consists of the times of the compared functions,
//! called *candidates*. The first time is that of one `memcpy` of the result, as in the benchmark `lists` of
//! slice-core. After each other time, the ratio to the `memcpy` is printed in parentheses. A candidate whose name ends
//! in "new" allocates its result. Everything runs on one thread.

#[path = "../common/report.rs"]
mod report;
#[allow(dead_code, reason = "each benchmark uses only a part of this module")]
#[path = "../common/timing.rs"]
mod timing;

use std::hint::black_box;

use burn_backend::TensorData;
use burn_backend::ops::{FloatTensorOps, IntTensorOps};
use burn_flex::{Flex, FlexTensor};
use candle_core::{Device, Tensor, WithDType};
use ndarray::{Array2, Axis};
use report::{Random, Report};
use slice_core::{DynSliceSpec, Item, StridedSliceExt};
use timing::Candidate;

/// An element type that all three libraries support.
trait TensorElement: WithDType + burn_backend::Element {
    fn nth(k: usize) -> Self;

    fn burn_select(tensor: FlexTensor, axis: usize, positions: FlexTensor) -> FlexTensor;
}

impl TensorElement for f32 {
    fn nth(k: usize) -> Self {
        k as u8 as f32
    }

    fn burn_select(tensor: FlexTensor, axis: usize, positions: FlexTensor) -> FlexTensor {
        <Flex as FloatTensorOps<Flex>>::float_select(tensor, axis, positions)
    }
}

impl TensorElement for u8 {
    fn nth(k: usize) -> Self {
        k as u8
    }

    fn burn_select(tensor: FlexTensor, axis: usize, positions: FlexTensor) -> FlexTensor {
        <Flex as IntTensorOps<Flex>>::int_select(tensor, axis, positions)
    }
}

/// Checks that slice-core, candle and burn select the same elements at the given positions of an axis, and measures all
/// candidates.
fn row<T: TensorElement>(
    report: &Report,
    name: &str,
    shape: [usize; 2],
    axis: usize,
    positions: &[usize],
) {
    if !report.is_requested(name) {
        return;
    }
    let array = Array2::from_shape_fn(shape, |(i, j)| T::nth(i * 31 + j));
    let data = array.as_slice().expect("the array should be in C order");
    let numbers: Vec<i64> = positions.iter().map(|&k| k as i64).collect();
    let mut items = vec![Item::Ellipsis; axis];
    items.push(Item::List(numbers.clone().into()));
    let spec = DynSliceSpec::from_items(items).expect("the spec should have at most 64 items");
    let chosen = spec
        .resolve(&shape)
        .expect("the positions should be in bounds");
    let ours = array.gather(&chosen);
    let ours = ours.as_slice().expect("the array should be in C order");
    let (mut out, mut copied) = (ours.to_vec(), ours.to_vec());

    let candle_tensor =
        Tensor::from_slice(data, &shape, &Device::Cpu).expect("the data should fit the shape");
    let indices = positions.iter().map(|&k| k as u32).collect::<Vec<_>>();
    let indices = Tensor::new(indices, &Device::Cpu).expect("the tensor should have been created");
    let select = || {
        candle_tensor
            .index_select(&indices, axis)
            .expect("the positions should be in bounds")
    };
    let selected = select().flatten_all().and_then(|all| all.to_vec1::<T>());
    assert_eq!(selected.expect("the elements should be of type `T`"), ours);

    let burn_tensor = FlexTensor::from_data(TensorData::new(data.to_vec(), shape));
    let indices = FlexTensor::from_data(TensorData::new(numbers, [positions.len()]));
    let burn_select = || T::burn_select(burn_tensor.clone(), axis, indices.clone());
    let selected = burn_select().into_data();
    assert_eq!(
        selected
            .as_slice::<T>()
            .expect("the elements should be of type `T`"),
        ours
    );

    report.row(
        name,
        vec![
            Candidate::new("memcpy", || copied.copy_from_slice(black_box(ours))),
            Candidate::new("ours", || {
                chosen
                    .gather_into(black_box(data), &mut out)
                    .expect("the buffers should fit the selection");
            }),
            Candidate::new("ours, new", || {
                black_box(array.gather(&chosen));
            }),
            Candidate::new("candle, new", || {
                black_box(select());
            }),
            Candidate::new("burn, new", || {
                black_box(burn_select());
            }),
            Candidate::new("ndarray select, new", || {
                black_box(array.select(Axis(axis), positions));
            }),
        ],
    );
}

fn main() {
    let report = Report::from_arguments();
    let mut random = Random(1);
    for (name, all) in [("L2", 64), ("L3", 2048), ("DRAM", 1 << 16)] {
        let picked: Vec<usize> = (0..all / 2).map(|_| random.below(all)).collect();
        let name = format!("random rows of 4 KiB, {name}");
        row::<f32>(&report, &name, [all, 1024], 0, &picked);
    }
    for run in [16, 64, 1024] {
        let sorted = (0..16_384).filter(|i| (i / run) % 2 == 0);
        let name = format!("sorted runs of {run} rows of 64 B");
        row::<f32>(&report, &name, [16_384, 16], 0, &sorted.collect::<Vec<_>>());
    }
    let eight = [5, 3, 60, 7, 7, 0, 12, 33];
    row::<f32>(&report, "8 positions", [64, 4], 0, &eight);
    let columns: Vec<usize> = (0..128).map(|_| random.below(256)).collect();
    row::<f32>(&report, "x[:, columns], f32", [256, 256], 1, &columns);
    row::<u8>(&report, "x[:, columns], u8", [512, 256], 1, &columns);
    let name = "x[:, [0, 2, 5]], 2^14 rows of f32";
    row::<f32>(&report, name, [1 << 14, 16], 1, &[0, 2, 5]);
    let positions: Vec<usize> = (0..1 << 16).map(|_| random.below(1 << 16)).collect();
    row::<f32>(&report, "x[positions], f32", [1, 1 << 16], 1, &positions);
    row::<u8>(&report, "x[positions], u8", [1, 1 << 16], 1, &positions);
}
