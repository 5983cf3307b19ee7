//! Checks that extreme sizes quickly lead to the correct result or an error, without a panic, an abort or a huge
//! allocation.

use ndarray::{ArrayD, ArrayView1, ArrayView2, Axis, IxDyn, arr0};
use slice_core::{DynSliceSpec, Selection, SliceError, StridedSliceExt, s};
use slice_systems::Operation;
use slice_systems::lists::Operations;
use slice_systems::reasons::{Reason, TransformError};
use slice_systems::tensorstore::{INFINITY, IndexTransform, OutputIndexMap};
use slice_systems::{
    Explain, OperationError, SystemError, coreml, litert, mindspore, onnx, openvino, stablehlo,
    tensorflow, torch,
};
use slice_tests::fuzz::selection::{STRIDES, check_layout};

/// The maximum length of an axis.
pub const MAX_AXIS_LENGTH: usize = isize::MAX as usize;
/// An axis length whose square overflows.
pub const SQUARE_OVERFLOWS: usize = 1 << (usize::BITS / 2);
const IS_64_BIT: bool = usize::BITS == 64;
/// A number of elements that is too large for a loop over all of them, but whose product with a stride of 8 does not
/// overflow.
pub const TOO_MANY_TO_VISIT: usize = 1 << if IS_64_BIT { 40 } else { 27 };

/// Returns selections of all elements of an array, reversed along one axis or along all axes. The selections are
/// resolved from operations of all systems except LiteRT and Core ML, whose axis lengths are 32-bit integers.
pub fn reversed_selections(shape: &[usize]) -> Vec<Result<Selection, OperationError>> {
    let rank = shape.len();
    let (begin, end, strides) = (vec![-1; rank], vec![i64::MIN; rank], vec![-1; rank]);
    let (starts, ends, steps) = (begin.clone(), end.clone(), Some(strides.clone()));
    let python = [s![..., ::-1].resolve(shape), s![::-1, ...].resolve(shape)];
    let mut results = Vec::from(python.map(|result| result.map_err(OperationError::from)));
    // The masks have bits for at most 31 entries, so an ellipsis covers all axes but the last.
    let op = tensorflow::StridedSlice {
        begin: vec![0, -1],
        end: vec![0, i64::MIN],
        strides: vec![1, -1],
        ellipsis_mask: 1,
        ..Default::default()
    };
    results.push(op.resolve(shape));
    let (first, last, step) = (begin.clone(), end.clone(), strides.clone());
    let op = mindspore::StridedSlice {
        begin: first,
        end: last,
        strides: step,
        ..Default::default()
    };
    results.push(op.resolve(shape));
    let op = openvino::StridedSlice {
        begin,
        end,
        strides: Some(strides),
        ..Default::default()
    };
    results.push(op.resolve(shape));
    let op = onnx::Slice {
        opset: 13,
        starts,
        ends,
        axes: None,
        steps,
    };
    results.extend([op.resolve(shape), op.resolve_onnxruntime(shape)]);
    results.extend(resolved_transform(shape));
    let dims = (0..rank as i64).collect::<Vec<_>>();
    let dimensions = dims.clone();
    let flip = torch::Program::from(vec![torch::Op::Flip { dims }]);
    results.push(flip.resolve(shape));
    let reverse = stablehlo::Op::Reverse { dimensions };
    results.push(stablehlo::Program::from(vec![reverse]).resolve(shape));
    results
}

/// Checks the limit of `i32::MAX` on axis lengths.
#[test]
fn litert_and_core_ml_reject_axis_lengths_beyond_32_bits() {
    const MAX_LENGTH: usize = i32::MAX as usize;
    for shape in [
        &[0, MAX_LENGTH][..],
        &[1, MAX_LENGTH],
        &[0, MAX_LENGTH + 1],
        &[MAX_AXIS_LENGTH],
        &[usize::MAX],
    ] {
        let rank = shape.len();
        let (begin, end) = (vec![-1; rank], vec![0; rank]);
        let op = litert::StridedSlice {
            begin: begin.clone(),
            end: end.clone(),
            strides: begin.clone(),
            begin_mask: 3,
            end_mask: 3,
            ..Default::default()
        };
        let fits = shape.iter().all(|&size| size <= MAX_LENGTH);
        let result = op.resolve(shape);
        assert_eq!(result.is_ok(), fits, "{shape:?}: {result:?}");
        let Ok(selection) = s![..., ::-1].resolve(shape) else {
            continue;
        };
        assert_eq!(
            litert::StridedSlice::from_selection(&selection).is_ok(),
            fits
        );
        match coreml::SliceByIndex::from_selection(&selection) {
            Ok(translated) => assert_eq!(translated.op.resolve(shape), Ok(selection), "{shape:?}"),
            Err(_) => assert!(!fits, "Core ML rejects the shape {shape:?}"),
        }
    }
}

/// Returns the selection of a TensorStore transform that reverses all axes, or `None` if `shape` has more axes than a
/// transform can have.
fn resolved_transform(shape: &[usize]) -> Option<Result<Selection, OperationError>> {
    let rank = shape.len();
    let map = |dimension| OutputIndexMap {
        stride: -1,
        input_dimension: Some(dimension),
        ..OutputIndexMap::default()
    };
    let transform = IndexTransform {
        input_inclusive_min: vec![-INFINITY; rank],
        input_exclusive_max: vec![INFINITY; rank],
        implicit_lower_bounds: vec![true; rank],
        implicit_upper_bounds: vec![true; rank],
        input_labels: vec![],
        output: (0..rank).map(map).collect(),
    };
    match transform.resolve(shape) {
        Err(OperationError::System(SystemError(Reason::TensorStore(
            TransformError::TooManyDimensions { rank },
        )))) if rank > 32 => None,
        Err(OperationError::Slice(error)) => Some(Err(error.into())),
        result => Some(Ok(result.expect("the transform should fit the shape"))),
    }
}

#[test]
fn shapes_with_too_many_elements_are_rejected() {
    for shape in [
        &[SQUARE_OVERFLOWS, SQUARE_OVERFLOWS][..],
        &[MAX_AXIS_LENGTH, 2],
        &[1 << (usize::BITS - 2), 2],
        &[usize::MAX],
        &[3, usize::MAX, 2],
        &[MAX_AXIS_LENGTH + 1],
        &[2; 70],
    ] {
        for result in reversed_selections(shape) {
            assert!(
                matches!(
                    result,
                    Err(OperationError::Slice(SliceError::TooLarge { .. }))
                ),
                "unexpected result for shape {shape:?}: {result:?}"
            );
        }
    }
}

#[test]
fn arrays_with_an_empty_axis_and_huge_axes_can_be_sliced() {
    for shape in [
        &[0, MAX_AXIS_LENGTH, MAX_AXIS_LENGTH][..],
        &[MAX_AXIS_LENGTH, 0],
        &[MAX_AXIS_LENGTH, MAX_AXIS_LENGTH, MAX_AXIS_LENGTH, 0, 7],
    ] {
        for result in reversed_selections(shape) {
            let selection = result.expect("the slice should fit the shape");
            assert_eq!(selection.output_shape(), shape);
            assert_eq!(selection.indices().next(), None);
            let strides = vec![isize::MAX; shape.len()];
            assert_eq!(
                selection
                    .layout(&strides)
                    .expect("the layout of an empty selection should be valid")
                    .offset(),
                0
            );
        }
    }
    for result in reversed_selections(&[0, usize::MAX]) {
        let size = usize::MAX;
        assert_eq!(result, Err(SliceError::TooLarge { axis: 1, size }.into()));
    }
    let array = ArrayD::<u64>::zeros(IxDyn(&[MAX_AXIS_LENGTH, 0]));
    let view = array.at(s![1:, newaxis]);
    assert_eq!(view.shape(), [MAX_AXIS_LENGTH - 1, 1, 0]);
    assert_eq!(
        array.gather(s![::-2, newaxis]).shape(),
        [MAX_AXIS_LENGTH / 2 + 1, 1, 0]
    );
}

#[test]
fn arrays_with_ten_thousand_axes_can_be_sliced() {
    let mut shape = vec![1; 10_000];
    shape[9_999] = 3;
    shape[0] = 2;
    for result in reversed_selections(&shape) {
        let selection = result.expect("the slice should fit the shape");
        assert_eq!(selection.output_shape(), shape);
        let twice = selection
            .compose(&selection)
            .expect("the shapes should match");
        assert_eq!(twice.axes().unwrap().len(), 10_000);
        assert!(
            selection
                .overlap(&twice)
                .expect("the shapes should match")
                .is_some()
        );
        assert!(selection.layout(&vec![1; 10_000]).is_ok());
    }
    let array = ArrayD::from_shape_vec(shape.clone(), (0..6).collect())
        .expect("the length should match the shape");
    let view = array.at(s![-1, ..., newaxis, ::-1]);
    assert_eq!(view.ndim(), 10_000);
    assert!(view.iter().eq(&[5, 4, 3]));
    assert_eq!(
        array.gather(s![::-1, ..., 0]).into_raw_vec_and_offset().0,
        [3, 0]
    );

    let entries = vec![0; 10_000];
    let op = openvino::StridedSlice {
        begin: entries.clone(),
        end: entries.clone(),
        shrink_axis_mask: vec![1; 10_000],
        ..Default::default()
    };
    assert!(
        op.resolve(&shape)
            .expect("the slice should fit the shape")
            .output_shape()
            .is_empty()
    );
    assert!(op.explain(&shape).to_string().len() > 10_000);
    let explanation = DynSliceSpec::default().explain(&shape).to_string();
    assert!(explanation.len() > 10_000);
    assert!(op.to_spec().is_err());
}

#[test]
fn elements_of_huge_selections_are_counted_without_a_loop() {
    let selection = s![::-1, newaxis]
        .resolve(&[TOO_MANY_TO_VISIT])
        .expect("the slice should fit the shape");
    assert_eq!(selection.output_shape(), [TOO_MANY_TO_VISIT, 1]);
    assert_eq!(selection.indices().len(), TOO_MANY_TO_VISIT);
    assert_eq!(selection.indices().count(), TOO_MANY_TO_VISIT);
    assert_eq!(selection.indices().nth(TOO_MANY_TO_VISIT - 2), Some(1));
    assert_eq!(selection.indices().last(), Some(0));
    let layout = selection
        .layout(&[8])
        .expect("the layout should be in bounds");
    assert_eq!(
        (layout.offset(), layout.strides()),
        ((TOO_MANY_TO_VISIT as isize - 1) * 8, &[-8, 0][..])
    );

    let one = arr0(7_u64);
    let broadcast: ArrayView1<'_, u64> = one
        .broadcast(TOO_MANY_TO_VISIT)
        .expect("the shapes should be broadcastable");
    let view: ArrayView2<'_, u64> = broadcast.at(s![::-3, newaxis]);
    assert_eq!(
        (view.len(), view[[TOO_MANY_TO_VISIT / 3, 0]]),
        (TOO_MANY_TO_VISIT.div_ceil(3), 7)
    );
    assert_eq!(view.index_axis(Axis(0), 5).len(), 1);
    // The copy needs more memory than any address space contains, but the number of bytes fits in an `i64`.
    const TOO_LARGE_TO_COPY: usize = 1 << if IS_64_BIT { 58 } else { 30 };
    let huge_view = one
        .broadcast(TOO_LARGE_TO_COPY)
        .expect("the shapes should be broadcastable");
    let elements = TOO_LARGE_TO_COPY - 1;
    assert_eq!(
        huge_view.try_gather(s![1:]),
        Err(SliceError::Allocation { elements })
    );
}

#[test]
fn gradients_that_do_not_fit_in_memory_are_rejected() {
    let op = tensorflow::StridedSlice {
        begin: vec![5],
        end: vec![6],
        strides: vec![1],
        shrink_axis_mask: 1,
        ..Default::default()
    };
    let elements = 1 << (usize::BITS - 4);
    assert_eq!(
        tensorflow::strided_slice_grad(&[elements], &op, (&[], &[1.0_f64])),
        Err(SliceError::Allocation { elements }.into())
    );
}

/// Checks that a layout is rejected if a stride, the offset of the first element or the offset of the last element
/// overflows.
#[test]
fn overflowing_layouts_are_rejected() {
    let overflow = |axis, stride| Err(SliceError::StrideOverflow { axis, stride });
    let selection = s![:, ::-1]
        .resolve(&[3, 2])
        .expect("the slice should fit the shape");
    let layout = |strides| selection.layout(strides).map(|layout| layout.offset());
    assert_eq!(layout(&[2, 1]), Ok(1));
    assert_eq!(layout(&[isize::MAX / 2, 1]), Ok(1));
    assert_eq!(layout(&[isize::MAX / 2, 2]), overflow(1, 2));
    assert_eq!(layout(&[isize::MAX, 0]), overflow(0, isize::MAX));
    assert_eq!(layout(&[isize::MIN / 2, 0]), Ok(0));
    assert_eq!(layout(&[0, isize::MIN]), overflow(1, isize::MIN));
}

/// Checks that an offset is exact even if the products of positions and strides overflow, provided that the sum of the
/// products does not.
#[test]
fn layouts_are_exact_if_only_products_overflow() {
    let (size, quarter) = (MAX_AXIS_LENGTH / 2, isize::MAX / 2 + 1);
    let offset = |spec: DynSliceSpec, shape: &[usize], strides: &[isize]| {
        let selection = spec.resolve(shape).expect("the slice should fit the shape");
        selection.layout(strides).map(|layout| layout.offset())
    };
    let overflow = |axis, stride| Err(SliceError::StrideOverflow { axis, stride });
    let second_and_third = DynSliceSpec::from(s![1, 2]);
    assert_eq!(
        offset(second_and_third.clone(), &[2, 3], &[isize::MIN, quarter]),
        Ok(0)
    );
    assert_eq!(
        offset(second_and_third, &[2, 3], &[0, quarter]),
        overflow(1, quarter)
    );
    let last_of_axis = DynSliceSpec::from(s![-1, 1]);
    assert_eq!(
        offset(last_of_axis.clone(), &[size, 2], &[-2, -4]),
        Ok(isize::MIN)
    );
    assert_eq!(
        offset(last_of_axis.clone(), &[size, 2], &[-2, -5]),
        overflow(1, -5)
    );
    assert_eq!(
        offset(last_of_axis.clone(), &[size, 2], &[4, isize::MIN]),
        Ok(isize::MAX - 7)
    );
    assert_eq!(
        offset(last_of_axis, &[size, 2], &[5, isize::MIN]),
        overflow(0, 5)
    );
}

#[test]
fn layouts_are_exact_for_every_pair_of_strides() {
    let specs = [
        DynSliceSpec::from(s![1, 2]),
        s![-1, ::-1].into(),
        s![::-2, 1].into(),
        s![1:, :, newaxis].into(),
        s![:0, 1].into(),
    ];
    for spec in &specs {
        let selection = spec
            .resolve(&[3, 4])
            .expect("the slice should fit the shape");
        for one in STRIDES {
            for other in STRIDES {
                check_layout(&selection, &[one, other]);
            }
        }
    }
}

/// Checks that parsing strings of 128 KiB or more does not panic, and that the error messages are short.
#[test]
fn errors_in_long_strings_are_short() {
    for text in [
        "1,".repeat(1 << 17),
        "(".repeat(1 << 17),
        "9".repeat(1 << 17),
        "-".repeat(1 << 17) + "1",
        "[".repeat(1 << 17),
        "a.".repeat(1 << 17),
        " ".repeat(1 << 17) + ":",
        "0x".to_owned() + &"f".repeat(1 << 17) + ":",
        "slice(".repeat(1 << 17),
        "\u{1f980}".repeat(1 << 17),
    ] {
        if let Err(error) = text.parse::<DynSliceSpec>() {
            assert!(
                error.to_string().len() < 2_000,
                "the error for {}... is too long",
                &text[..8]
            );
        }
    }
}
