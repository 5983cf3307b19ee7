//! Checks slices for which LiteRT, PyTorch, StableHLO and Core ML give different results. Each row of the second table
//! of differences in the documentation of `slice_systems` has one test.

use slice_core::{DynSliceSpec, Selection};
use slice_systems::lists::{Gather, Operations};
use slice_systems::python;
use slice_systems::{OperationError, coreml, litert, onnx, stablehlo, tensorflow, torch};

use super::strided_slice_case::{Offsets, some};

fn offsets(result: Result<Selection, OperationError>) -> Offsets {
    result.ok().map(|selection| selection.indices().collect())
}

fn outer_offsets(result: Result<Selection, OperationError>) -> Offsets {
    result.ok().map(|selection| selection.indices().collect())
}

/// Returns the offsets selected by `begin:end:step` in Python, LiteRT, PyTorch, StableHLO and Core ML, on one axis of
/// length 4.
fn results_on_length_4(begin: i64, end: i64, step: i64) -> [Offsets; 5] {
    let slice: DynSliceSpec = format!("{begin}:{end}:{step}")
        .parse()
        .expect("the string should be a slice");
    let (begin, end, strides) = (vec![begin], vec![end], vec![step]);
    let litert = litert::StridedSlice {
        begin: begin.clone(),
        end: end.clone(),
        strides: strides.clone(),
        ..litert::StridedSlice::default()
    };
    let torch = torch::Slice {
        dim: 0,
        start: Some(begin[0]),
        end: Some(end[0]),
        step,
    };
    let stablehlo = stablehlo::Slice {
        start_indices: begin.clone(),
        limit_indices: end.clone(),
        strides: strides.clone(),
    };
    let coreml = coreml::SliceByIndex {
        begin,
        end,
        stride: strides,
        ..coreml::SliceByIndex::default()
    };
    [
        offsets(slice.resolve(&[4]).map_err(OperationError::from)),
        offsets(litert.resolve(&[4])),
        offsets(torch.resolve(&[4])),
        offsets(stablehlo.resolve(&[4])),
        offsets(coreml.resolve(&[4])),
    ]
}

/// Returns the offsets selected by gather operations with the list `[index]` in TensorFlow, ONNX, LiteRT, PyTorch,
/// StableHLO and Core ML, on one axis of length 4.
fn gather_results(index: i64) -> [Offsets; 6] {
    let (indices, axis) = (vec![index], 0);
    macro_rules! resolve_program {
        ($Program:ty, $op:expr) => {
            outer_offsets(<$Program>::from(vec![$op]).resolve(&[4]))
        };
    }
    let select = torch::Op::IndexSelect {
        dim: 0,
        index: indices.clone(),
    };
    let gather = stablehlo::Op::Gather {
        dimension: 0,
        indices: indices.clone().into(),
    };
    macro_rules! gather {
        ($system:ident) => {{
            let indices = indices.clone().into();
            resolve_program!(
                $system::Program,
                $system::Op::Gather(Gather { indices, axis })
            )
        }};
    }
    [
        gather!(tensorflow),
        gather!(onnx),
        gather!(litert),
        resolve_program!(torch::Program, select),
        resolve_program!(stablehlo::Program, gather),
        gather!(coreml),
    ]
}

#[test]
fn only_stablehlo_rejects_a_bound_beyond_the_axis() {
    let clamped = some(&[1, 2, 3]);
    let expected = [
        clamped.clone(),
        clamped.clone(),
        clamped.clone(),
        None,
        clamped,
    ];
    assert_eq!(results_on_length_4(1, 9, 1), expected);
}

#[test]
fn only_stablehlo_rejects_negative_bounds() {
    let selected = some(&[1, 2]);
    let expected = [
        selected.clone(),
        selected.clone(),
        selected.clone(),
        None,
        selected,
    ];
    assert_eq!(results_on_length_4(-3, -1, 1), expected);
}

#[test]
fn pytorch_and_stablehlo_reject_negative_steps() {
    let selected = some(&[3, 2, 1]);
    let expected = [selected.clone(), selected.clone(), None, None, selected];
    assert_eq!(results_on_length_4(3, 0, -1), expected);
}

#[test]
fn stablehlo_and_core_ml_reject_a_begin_after_the_end() {
    let expected = [some(&[]), some(&[]), some(&[]), None, None];
    assert_eq!(results_on_length_4(3, 1, 1), expected);
}

#[test]
fn core_ml_omits_element_0_if_a_reverse_range_ends_before_the_axis() {
    let all = some(&[3, 2, 1, 0]);
    let expected = [all.clone(), all, None, None, some(&[3, 2, 1])];
    assert_eq!(results_on_length_4(-1, -5, -1), expected);
}

#[test]
fn only_dynamic_slice_shifts_a_slice_that_exceeds_the_axis() {
    let (begin, size) = (vec![3], vec![2]);
    let operation = litert::Slice {
        begin: begin.clone(),
        size: size.clone(),
    };
    assert_eq!(offsets(operation.resolve(&[4])), None);
    let operation = stablehlo::Op::DynamicSlice {
        start_indices: begin.clone(),
        slice_sizes: size.clone(),
    };
    let program = stablehlo::Program::from(vec![operation]);
    assert_eq!(offsets(program.resolve(&[4])), some(&[2, 3]));
    let operation = coreml::SliceBySize { begin, size };
    assert_eq!(offsets(operation.resolve(&[4])), None);
}

#[test]
fn a_negative_size_of_a_dynamic_slice_is_invalid_for_every_shape() {
    let operation = stablehlo::Op::DynamicSlice {
        start_indices: vec![0, 0],
        slice_sizes: vec![1, -1],
    };
    let program = stablehlo::Program::from(vec![operation]);
    let error = program.resolve(&[4, 3]).map_err(|error| error.to_string());
    let message = "slice size -1 in dimension 1 is not in 0..=3";
    assert_eq!(error, Err(message.to_owned()));
    let error = program
        .to_spec_for_rank(2)
        .map_err(|error| error.to_string());
    let message = "the slice is invalid: slice size -1 in dimension 1 is negative";
    assert_eq!(error, Err(message.to_owned()));
}

#[test]
fn litert_offset_makes_the_end_relative_to_the_begin() {
    let op = litert::StridedSlice {
        begin: vec![1],
        end: vec![2],
        strides: vec![1],
        offset: true,
        ..litert::StridedSlice::default()
    };
    assert_eq!(offsets(op.resolve(&[4])), some(&[1, 2]));
}

#[test]
fn pytorch_and_core_ml_reject_arrays_without_axes() {
    assert_eq!(
        offsets(litert::StridedSlice::default().resolve(&[])),
        some(&[0])
    );
    assert_eq!(offsets(torch::Slice::default().resolve(&[])), None);
    assert_eq!(
        offsets(stablehlo::Slice::default().resolve(&[])),
        some(&[0])
    );
    assert_eq!(offsets(coreml::SliceByIndex::default().resolve(&[])), None);
}

#[test]
fn onnx_and_core_ml_count_negative_indices_in_lists_from_the_end() {
    let last = some(&[3]);
    let expected = [None, last.clone(), None, None, some(&[0]), last];
    assert_eq!(gather_results(-1), expected);
}

#[test]
fn only_stablehlo_clamps_an_index_in_a_list_beyond_the_axis() {
    assert_eq!(
        gather_results(9),
        [None, None, None, None, some(&[3]), None]
    );
}

#[test]
fn two_lists_in_brackets_are_points_in_numpy_and_rejected_for_pytorch() {
    let spec: DynSliceSpec = "[0, 1], [0, 1]"
        .parse()
        .expect("the string should be a slice");
    let outer_result = spec.resolve(&[2, 2]).map_err(OperationError::from);
    assert_eq!(outer_offsets(outer_result), some(&[0, 1, 2, 3]));
    let numpy = python::Program::from(vec![python::Op::Getitem(spec.clone())]);
    assert_eq!(outer_offsets(numpy.resolve(&[2, 2])), some(&[0, 3]));
    let torch = torch::Program::from(vec![torch::Op::Getitem(spec)]);
    assert_eq!(outer_offsets(torch.resolve(&[2, 2])), None);
}
