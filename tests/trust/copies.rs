//! Checks that every copying function, given extreme sizes, quickly returns the correct result or an error, and
//! allocates little memory besides the buffers.

use std::fmt::Debug;
use std::ops::AddAssign;

use allocation_counter::measure;
use ndarray::{Array1, ArrayD, IxDyn, arr0};
use slice_core::{Selection, SliceError, StridedSliceExt, s};
use slice_systems::OperationError;
use slice_systems::tensorflow::{StridedSlice, strided_slice_grad, tensor_strided_slice_update};

use super::extreme_sizes::{
    MAX_AXIS_LENGTH, SQUARE_OVERFLOWS, TOO_MANY_TO_VISIT, reversed_selections,
};

/// Calls `test` and checks that less than 16 MiB are allocated at any time. This limit is enough for the shapes,
/// strides and entries of 10,000 axes, and far below the memory that one of the huge arrays would need.
fn with_little_memory<R>(test: impl FnOnce() -> R) -> R {
    let mut result = None;
    let max_bytes = measure(|| result = Some(test())).bytes_max;
    assert!(
        max_bytes < 1 << 24,
        "too many bytes were allocated at the same time: {max_bytes}"
    );
    result.expect("the closure should have been called")
}

/// Calls all copying functions with the buffers `data` and `values`, and returns the results.
fn every_copy<T: Copy + Default + AddAssign>(
    selection: &Selection,
    data: &mut [T],
    values: &mut [T],
) -> [Result<(), SliceError>; 9] {
    let zero = T::default();
    let shape = selection.output_shape();
    [
        selection.gather(data).map(drop),
        selection.gather_cloned(data).map(drop),
        selection.gather_into(data, values),
        selection.scatter(values, data),
        selection.scatter_cloned(values, data),
        selection.scatter_add(values, data),
        selection.fill(zero, data),
        selection.assign(shape, values, data),
        selection
            .plan()
            .and_then(|plan| plan.gather(data))
            .map(drop),
    ]
}

fn assert_all_copied(results: impl IntoIterator<Item = Result<(), SliceError>>) {
    results
        .into_iter()
        .for_each(|result| assert_eq!(result, Ok(())));
}

fn assert_rejected<T: Debug, E: Into<OperationError>>(
    results: impl IntoIterator<Item = Result<T, E>>,
    len: usize,
) {
    for result in results {
        let result = result.map_err(E::into);
        let is_length_error = matches!(result, Err(OperationError::Slice(SliceError::BufferLength { expected, .. })) if expected == len);
        assert!(is_length_error, "unexpected result: {result:?}");
    }
}

#[test]
fn buffers_with_an_empty_axis_and_huge_axes_can_be_copied() {
    for shape in [
        &[0, MAX_AXIS_LENGTH, MAX_AXIS_LENGTH][..],
        &[MAX_AXIS_LENGTH, 3, 0, MAX_AXIS_LENGTH],
    ] {
        for selection in reversed_selections(shape) {
            let selection = selection.expect("the slice should fit the shape");
            with_little_memory(|| {
                assert_all_copied(every_copy::<u64>(&selection, &mut [], &mut []));
                assert_rejected(every_copy(&selection, &mut [0; 9], &mut [0; 9]), 0);
                assert_eq!(selection.assign::<u8>(&[1], &[7], &mut []), Ok(()));
                let overlap = selection.overlap(&selection);
                assert_eq!(overlap.expect("the shapes should match"), None);
            });
        }
    }
    let op = StridedSlice::default();
    let shape = [MAX_AXIS_LENGTH, 0, MAX_AXIS_LENGTH];
    let empty_array = (&shape[..], &[][..]);
    assert_eq!(
        strided_slice_grad::<u64>(&shape, &op, empty_array),
        Ok(vec![])
    );
    let updated = tensor_strided_slice_update::<u64>(empty_array, &op, empty_array);
    assert_eq!(updated, Ok(vec![]));
}

#[test]
fn arrays_with_an_empty_axis_and_huge_axes_can_be_assigned_to() {
    let mut array = ArrayD::<u64>::zeros(IxDyn(&[MAX_AXIS_LENGTH, 0]));
    let value = array.clone();
    with_little_memory(|| {
        let result = array.try_set(s![::-1], &value);
        assert_eq!(result, Ok(()));
        assert_eq!(array.try_fill_at(s![1:, newaxis], 7), Ok(()));
        let halves = (s![:MAX_AXIS_LENGTH / 2], s![MAX_AXIS_LENGTH / 2:]);
        let (first, second) = array.at_disjoint_mut(halves);
        assert_eq!(first.shape(), [MAX_AXIS_LENGTH / 2, 0]);
        assert_eq!(second.shape(), [MAX_AXIS_LENGTH - MAX_AXIS_LENGTH / 2, 0]);
    });
}

#[test]
fn values_whose_element_count_overflows_are_rejected() {
    let selection = s![:].resolve(&[3]).expect("the slice should fit the shape");
    let mut data = [0_u8; 3];
    with_little_memory(|| {
        for shape in [
            &[SQUARE_OVERFLOWS, SQUARE_OVERFLOWS, 3][..],
            &[usize::MAX, 3],
            &[2; 70],
        ] {
            let result = selection.assign(shape, &[1, 2, 3], &mut data);
            assert!(
                matches!(result, Err(SliceError::Broadcast { .. })),
                "unexpected result: {result:?}"
            );
            let result = strided_slice_grad(&[3], &StridedSlice::default(), (shape, &data));
            assert!(
                matches!(result, Err(OperationError::GradientShape { .. })),
                "unexpected result: {result:?}"
            );
            let empty = StridedSlice {
                begin: vec![3],
                end: vec![0],
                strides: vec![1],
                ..StridedSlice::default()
            };
            for op in [StridedSlice::default(), empty] {
                let result = tensor_strided_slice_update((&[3], &data), &op, (shape, &[1, 2, 3]));
                assert!(result.is_err(), "unexpected result: {result:?}");
                let result = tensor_strided_slice_update((shape, &data), &op, (&[3], &[1, 2, 3]));
                assert!(
                    matches!(
                        result,
                        Err(OperationError::Slice(SliceError::TooLarge { .. }))
                    ),
                    "unexpected result: {result:?}"
                );
            }
        }
    });
}

#[test]
fn arrays_with_ten_thousand_axes_can_be_copied() {
    let mut shape = vec![1; 10_000];
    (shape[0], shape[9_999]) = (2, 3);
    for selection in reversed_selections(&shape) {
        let selection = selection.expect("the slice should fit the shape");
        with_little_memory(|| {
            assert_all_copied(every_copy(&selection, &mut [0_u16; 6], &mut [0; 6]))
        });
    }
    let mut array = ArrayD::from_shape_vec(IxDyn(&shape), vec![0; 6])
        .expect("the length should match the shape");
    with_little_memory(|| {
        array.set(s![0, ..., newaxis, ::-1], &Array1::from_iter(1..4));
        array.fill_at(s![1, ..., 0], 7);
        let (mut first, mut last) = array.at_disjoint_mut((s![0, ..., 0], s![-1, ..., 2]));
        std::mem::swap(
            first
                .first_mut()
                .expect("the view should contain an element"),
            last.first_mut()
                .expect("the view should contain an element"),
        );
    });
    assert_eq!(array.into_raw_vec_and_offset().0, [0, 2, 1, 7, 0, 3]);
}

#[test]
fn buffers_that_are_too_short_for_huge_shapes_are_rejected() {
    for selection in reversed_selections(&[TOO_MANY_TO_VISIT]) {
        let selection = selection.expect("the slice should fit the shape");
        assert_eq!(selection.output_shape(), [TOO_MANY_TO_VISIT]);
        assert_eq!(selection.indices().nth(TOO_MANY_TO_VISIT - 3), Some(2));
        with_little_memory(|| {
            assert_rejected(
                every_copy(&selection, &mut [0_u8; 9], &mut [0; 9]),
                TOO_MANY_TO_VISIT,
            )
        });
    }
    with_little_memory(|| {
        let all = StridedSlice::default();
        let (dy, shape) = (
            (&[TOO_MANY_TO_VISIT][..], &[0_u8; 9][..]),
            &[TOO_MANY_TO_VISIT],
        );
        assert_rejected([strided_slice_grad(shape, &all, dy)], TOO_MANY_TO_VISIT);
        assert_rejected(
            [tensor_strided_slice_update(dy, &all, dy)],
            TOO_MANY_TO_VISIT,
        );

        let mut array = Array1::<u8>::zeros(9);
        let one = arr0(1_u8);
        let value = one
            .broadcast(TOO_MANY_TO_VISIT)
            .expect("the shapes should be broadcastable");
        let result = array.try_set(s![:], &value);
        assert!(
            matches!(result, Err(SliceError::Broadcast { .. })),
            "unexpected result: {result:?}"
        );
    });
}

/// Checks that zero-sized elements are neither copied nor visited by a loop, even in the longest possible array.
#[test]
fn zero_sized_elements_are_never_visited() {
    let all = s![::-1]
        .resolve(&[MAX_AXIS_LENGTH])
        .expect("the slice should fit the shape");
    let (data, mut out) = ([(); MAX_AXIS_LENGTH], [(); MAX_AXIS_LENGTH]);
    with_little_memory(|| {
        assert_eq!(all.gather(&data).map(|out| out.len()), Ok(MAX_AXIS_LENGTH));
        assert_eq!(all.gather_into(&data, &mut out), Ok(()));
        assert_eq!(all.scatter(&data, &mut out), Ok(()));
        let (expected, actual) = (MAX_AXIS_LENGTH, MAX_AXIS_LENGTH - 1);
        let result = all.gather(&data[1..]);
        assert_eq!(result, Err(SliceError::BufferLength { expected, actual }));

        let vec = (Box::new(data) as Box<[()]>).into_vec();
        let mut array = Array1::from_shape_vec(MAX_AXIS_LENGTH, vec)
            .expect("the length should match the shape");
        assert_eq!(array.at(s![::-2]).len(), MAX_AXIS_LENGTH / 2 + 1);
        assert_eq!(array.gather(s![::-2]).len(), MAX_AXIS_LENGTH / 2 + 1);
        let (even, odd) = array.at_disjoint_mut((s![::2], s![1::2]));
        assert_eq!(even.len() + odd.len(), MAX_AXIS_LENGTH);
        assert_eq!(array.try_fill_at(s![::TOO_MANY_TO_VISIT], ()), Ok(()));
    });

    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    struct Unit;
    impl AddAssign for Unit {
        fn add_assign(&mut self, _: Unit) {}
    }
    let selection = s![::-2, newaxis]
        .resolve(&[300])
        .expect("the slice should fit the shape");
    assert_all_copied(every_copy(&selection, &mut [Unit; 300], &mut [Unit; 150]));
}

#[test]
fn no_memory_is_requested_for_zero_sized_elements() {
    let selection = s![::-1]
        .resolve(&[MAX_AXIS_LENGTH])
        .expect("the slice should fit the shape");
    let values = [(); MAX_AXIS_LENGTH];
    // A request for zero bytes would be undefined behavior.
    let allocations = measure(|| {
        let all = selection.scatter_new(&values);
        assert_eq!(all.map(|all| all.len()), Ok(MAX_AXIS_LENGTH));
    });
    assert_eq!(allocations.count_total, 0);
}
