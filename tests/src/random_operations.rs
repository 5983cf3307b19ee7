//! Generates random operations with arbitrary numbers, entry counts and shapes. No method of these operations may
//! panic.

use fastrand::Rng;
use slice_core::{DynSliceSpec, Item, Masks};
use slice_systems::tensorstore::{INFINITY, IndexTransform, OutputIndexMap};
use slice_systems::{coreml, litert, mindspore, onnx, openvino, stablehlo, tensorflow, torch};

use crate::operation::as_mindspore;

/// Returns a random number, usually near 0 or near a limit of 32-bit or 64-bit integers.
fn number(rng: &mut Rng) -> i64 {
    let edge = *rng
        .choice(&[
            0,
            i64::MIN,
            i64::MAX,
            i64::from(i32::MIN),
            i64::from(i32::MAX),
        ])
        .expect("the list should not be empty");
    match rng.u8(..8) {
        0 => rng.i64(..),
        1 | 2 => edge.wrapping_add(rng.i64(-2..=2)),
        _ => rng.i64(-7..=7),
    }
}

fn numbers(rng: &mut Rng, len: usize) -> Vec<i64> {
    (0..len).map(|_| number(rng)).collect()
}

/// Returns a list of random numbers, usually with the length `entries`.
fn vector(rng: &mut Rng, entries: usize) -> Vec<i64> {
    let len = if rng.u8(..40) == 0 {
        rng.usize(..12)
    } else {
        entries
    };
    numbers(rng, len)
}

/// Returns random strides, usually without a zero.
fn strides(rng: &mut Rng, entries: usize) -> Vec<i64> {
    let mut strides = vector(rng, entries);
    for stride in &mut strides {
        if *stride == 0 && rng.u8(..20) > 0 {
            *stride = 1;
        }
    }
    strides
}

/// Returns a bit mask. Usually, few or no bits are set, and all of them belong to existing entries. Sometimes, the mask
/// is an arbitrary number.
fn mask(rng: &mut Rng, entries: usize) -> i64 {
    match rng.u8(..20) {
        0 => number(rng),
        1..8 => rng.i64(..) & rng.i64(..) & ((1 << entries.min(31)) - 1),
        _ => 0,
    }
}

/// Returns a mask as a list. Usually, the list contains a zero or a one for each entry. Sometimes, it has a different
/// length or arbitrary elements.
fn mask_list(rng: &mut Rng, entries: usize) -> Vec<i64> {
    match rng.u8(..40) {
        0 => numbers(rng, entries),
        1..4 => vec![0; rng.usize(..12)],
        _ => (0..entries).map(|_| i64::from(rng.u8(..5) == 0)).collect(),
    }
}

/// Returns a shape with up to 8 axes, some of which may be extremely long.
pub fn shape(rng: &mut Rng) -> Vec<usize> {
    let has_huge_axes = rng.u8(..3) == 0;
    (0..rng.usize(..=8))
        .map(|_| match rng.u8(..10) {
            0 if has_huge_axes => usize::MAX - rng.usize(..2),
            1 if has_huge_axes => (isize::MAX as usize).wrapping_add(rng.usize(..2)),
            2 if has_huge_axes => rng.usize(..),
            0 => 0,
            _ => rng.usize(1..7),
        })
        .collect()
}

/// Returns a random number of entries for an operation on `shape`. The number is usually at most one above the rank,
/// but sometimes much larger.
fn entry_count(rng: &mut Rng, shape: &[usize]) -> usize {
    match rng.u16(..400) {
        0 => rng.usize(..10_000),
        1..20 => rng.usize(..70),
        _ => rng.usize(..=shape.len() + 1),
    }
}

/// Returns a random TensorFlow operation that is often valid for the shape.
pub fn tensorflow(rng: &mut Rng, shape: &[usize]) -> tensorflow::StridedSlice {
    let entries = entry_count(rng, shape);
    tensorflow::StridedSlice {
        begin: vector(rng, entries),
        end: vector(rng, entries),
        strides: strides(rng, entries),
        begin_mask: mask(rng, entries),
        end_mask: mask(rng, entries),
        ellipsis_mask: mask(rng, entries),
        new_axis_mask: mask(rng, entries),
        shrink_axis_mask: mask(rng, entries),
    }
}

/// Returns a random MindSpore operation that is often valid for the shape.
pub fn mindspore(rng: &mut Rng, shape: &[usize]) -> mindspore::StridedSlice {
    as_mindspore(tensorflow(rng, shape))
}

/// Returns a random OpenVINO operation that is often valid for the shape.
pub fn openvino(rng: &mut Rng, shape: &[usize]) -> openvino::StridedSlice {
    let entries = entry_count(rng, shape);
    openvino::StridedSlice {
        begin: vector(rng, entries),
        end: vector(rng, entries),
        strides: (rng.u8(..5) > 0).then(|| strides(rng, entries)),
        begin_mask: mask_list(rng, entries),
        end_mask: mask_list(rng, entries),
        new_axis_mask: mask_list(rng, entries),
        shrink_axis_mask: mask_list(rng, entries),
        ellipsis_mask: mask(rng, entries).checked_ilog2().map_or(vec![], |bit| {
            let mut bits = vec![0; bit as usize + 1];
            bits[bit as usize] = 1;
            bits
        }),
    }
}

/// Returns a random ONNX operator that is often valid for the shape.
pub fn onnx(rng: &mut Rng, shape: &[usize]) -> onnx::Slice {
    let entries = entry_count(rng, shape);
    let opset = *rng
        .choice(&[0, 1, 10, 11, 13, u32::MAX])
        .expect("the list should not be empty");
    let rank = shape.len() as i64;
    let axes = if rng.u8(..10) == 0 {
        vector(rng, entries)
    } else {
        let mut axes: Vec<i64> = (0..rank).collect();
        rng.shuffle(&mut axes);
        axes.truncate(entries);
        axes.iter()
            .map(|&axis| if rng.bool() { axis } else { axis - rank })
            .collect()
    };
    onnx::Slice {
        opset,
        starts: vector(rng, entries),
        ends: vector(rng, entries),
        axes: rng.bool().then_some(axes),
        steps: (rng.bool() && opset >= 10).then(|| strides(rng, entries)),
    }
}

/// Returns a random TensorStore transform that is often valid for the shape.
pub fn tensorstore(rng: &mut Rng, shape: &[usize]) -> IndexTransform {
    let mut transform = IndexTransform::default();
    for &size in shape {
        if rng.u8(..10) == 0 {
            // With a length of 1, the dimension is a new axis. With a length of 2, it would repeat elements, which is
            // an error.
            let begin = number(rng);
            let len = i64::from(rng.u8(..8) > 0) + i64::from(rng.u8(..20) == 0);
            transform.input_inclusive_min.push(begin);
            transform
                .input_exclusive_max
                .push(begin.saturating_add(len));
        }
        let (begin, end) = (rng.usize(..=size.min(9)), rng.usize(..=size.min(9)));
        let (begin, end) = (begin.min(end) as i64, begin.max(end) as i64);
        let mut map = OutputIndexMap {
            offset: begin.min(end - 1),
            stride: 1,
            ..OutputIndexMap::default()
        };
        if rng.u8(..4) > 0 {
            map.input_dimension = Some(transform.input_inclusive_min.len());
            // The dimension selects the positions `begin..end`, sometimes in reverse or with a random stride. The
            // domain of the dimension may start anywhere.
            let origin = if rng.bool() { 0 } else { number(rng) >> 8 };
            let (low, high) = (origin, origin.saturating_add(end - begin));
            map.offset = begin.saturating_sub(origin);
            match rng.u8(..8) {
                0 | 1 => {
                    map.stride = -1;
                    map.offset = origin.saturating_add(end - 1);
                }
                2 => map.stride = number(rng),
                _ => {}
            }
            transform.input_inclusive_min.push(low);
            transform.input_exclusive_max.push(high);
        }
        if rng.u8(..40) == 0 {
            map.offset = number(rng);
        }
        transform.output.push(map);
    }
    let rank = transform.input_inclusive_min.len();
    if rng.u8(..4) == 0 {
        transform.implicit_lower_bounds = (0..rank).map(|_| rng.bool()).collect();
        transform.implicit_upper_bounds = (0..rank).map(|_| rng.bool()).collect();
    }
    for dimension in 0..rank {
        match rng.u8(..60) {
            0 => transform.input_inclusive_min[dimension] = -INFINITY,
            1 => transform.input_exclusive_max[dimension] = INFINITY,
            2 => transform.input_inclusive_min[dimension] = number(rng),
            3 => transform.input_exclusive_max[dimension] = number(rng),
            _ => {}
        }
    }
    if rng.u8(..60) == 0 {
        let entries = entry_count(rng, shape);
        transform.input_exclusive_max = vector(rng, entries);
        transform.input_labels = vec![String::new(); entries];
    }
    if rng.u8(..60) == 0 && !transform.output.is_empty() {
        let axis = rng.usize(..transform.output.len());
        transform.output[axis].input_dimension = Some(rng.usize(..));
    }
    transform
}

/// Returns a random spec that is often valid for the shape.
pub fn python(rng: &mut Rng, shape: &[usize]) -> DynSliceSpec {
    let entries = entry_count(rng, shape).min(64);
    let masks = Masks {
        begin: mask(rng, entries) as u64,
        end: mask(rng, entries) as u64,
        ellipsis: mask(rng, entries) as u64,
        new_axis: mask(rng, entries) as u64,
        shrink_axis: mask(rng, entries) as u64,
    };
    let (begin, end) = (vector(rng, entries), vector(rng, entries));
    let strides = strides(rng, entries);
    DynSliceSpec::new(&begin, &end, &strides, masks).unwrap_or_else(|_| {
        DynSliceSpec::from_items([Item::Index(number(rng)), Item::NewAxis])
            .expect("a slice with two items should be valid")
    })
}

/// Clamps a number to the range of 32-bit integers, except in rare cases.
fn clamp_to_32_bits(rng: &mut Rng, number: i64) -> i64 {
    match rng.u16(..2000) {
        0 => number,
        _ => number.clamp(i32::MIN.into(), i32::MAX.into()),
    }
}

fn clamp_all_to_32_bits(rng: &mut Rng, numbers: &[i64]) -> Vec<i64> {
    numbers
        .iter()
        .map(|&number| clamp_to_32_bits(rng, number))
        .collect()
}

/// Returns a random LiteRT operator that is often valid for the shape.
pub fn litert(rng: &mut Rng, shape: &[usize]) -> litert::StridedSlice {
    let op = tensorflow(rng, shape);
    let offset = rng.u8(..6) == 0;
    // If `offset` is set, each `end` is a distance from the `begin`. A new axis is then an error, and so is an ellipsis
    // that covers an axis.
    let zero_with_offset = |mask: i64| if offset { 0 } else { mask };
    litert::StridedSlice {
        begin: clamp_all_to_32_bits(rng, &op.begin),
        end: clamp_all_to_32_bits(rng, &op.end),
        strides: clamp_all_to_32_bits(rng, &op.strides),
        begin_mask: op.begin_mask,
        end_mask: op.end_mask,
        ellipsis_mask: zero_with_offset(op.ellipsis_mask),
        new_axis_mask: zero_with_offset(op.new_axis_mask),
        shrink_axis_mask: op.shrink_axis_mask,
        offset,
    }
}

/// Returns an axis number for arrays of rank `rank`, counted from the front or from the end. The number is rarely out
/// of bounds.
fn axis(rng: &mut Rng, rank: usize) -> i64 {
    let rank = rank as i64;
    match rng.u8(..12) {
        0 => number(rng),
        _ if rank == 0 => 0,
        _ => rng.i64(-rank..rank),
    }
}

/// Returns a random PyTorch operator that is often valid for the shape.
pub fn torch(rng: &mut Rng, shape: &[usize]) -> torch::Slice {
    torch::Slice {
        dim: axis(rng, shape.len()),
        start: rng.bool().then(|| number(rng)),
        end: rng.bool().then(|| number(rng)),
        step: match rng.u8(..6) {
            0 => number(rng),
            _ => rng.i64(1..5),
        },
    }
}

/// Returns a random PyTorch program that is often valid for the shape.
pub fn torch_program(rng: &mut Rng, shape: &[usize]) -> torch::Program {
    let ops = (0..rng.usize(..5)).map(|_| match rng.u8(..5) {
        0 => torch::Op::Select(torch::Select {
            dim: axis(rng, shape.len()),
            index: number(rng),
        }),
        1 => torch::Op::Unsqueeze {
            dim: axis(rng, shape.len() + 1),
        },
        2 => torch::Op::Flip {
            dims: (0..rng.usize(..3))
                .map(|_| axis(rng, shape.len()))
                .collect(),
        },
        3 => torch::Op::Getitem(python(rng, shape)),
        _ => torch::Op::Slice(torch(rng, shape)),
    });
    torch::Program { ops: ops.collect() }
}

/// Returns a random StableHLO operation that is often valid for the shape.
pub fn stablehlo(rng: &mut Rng, shape: &[usize]) -> stablehlo::Slice {
    let mut op = stablehlo::Slice::default();
    for &size in shape {
        let size = i64::try_from(size).unwrap_or(i64::MAX);
        let start = rng.i64(..=size.min(9)).max(0);
        op.start_indices.push(start.min(size));
        op.limit_indices.push(rng.i64(start.min(size)..=size));
        op.strides.push(rng.i64(1..4));
    }
    if rng.u8(..4) == 0 {
        for vector in [
            &mut op.start_indices,
            &mut op.limit_indices,
            &mut op.strides,
        ] {
            let index = rng.usize(..=vector.len());
            match vector.get_mut(index) {
                Some(entry) => *entry = number(rng),
                None if rng.bool() => vector.push(1),
                None => {}
            }
        }
    }
    op
}

/// Returns a random Core ML operation that is often valid for the shape.
pub fn coreml(rng: &mut Rng, shape: &[usize]) -> coreml::SliceByIndex {
    let entries = match rng.u8(..40) {
        0 => entry_count(rng, shape),
        _ => shape.len(),
    };
    let mask_booleans = |rng: &mut Rng| match rng.u8(..3) {
        0 => Vec::new(),
        _ => (0..entries).map(|_| rng.u8(..4) == 0).collect(),
    };
    coreml::SliceByIndex {
        begin: (0..entries).map(|_| rng.i64(-3..4)).collect(),
        end: match rng.u8(..4) {
            0 => {
                let end = vector(rng, entries);
                clamp_all_to_32_bits(rng, &end)
            }
            _ => (0..entries).map(|_| rng.i64(-2..7)).collect(),
        },
        stride: match rng.u8(..3) {
            0 => Vec::new(),
            _ => {
                let stride = strides(rng, entries);
                clamp_all_to_32_bits(rng, &stride)
            }
        },
        begin_mask: mask_booleans(rng),
        end_mask: mask_booleans(rng),
        squeeze_mask: mask_booleans(rng),
    }
}
