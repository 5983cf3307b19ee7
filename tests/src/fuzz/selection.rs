//! Checks properties that hold for every selection, including the selections of operations of TensorFlow, ONNX and
//! other systems.

use std::num::Wrapping;

use slice_core::{AxisRange, OutputAxis, Selection, SliceError};

/// The maximum number of elements in an array allocated by the checks.
const MAX_ELEMENTS: usize = 4096;

/// Checks a selection for arrays of shape `shape`, and its copies between buffers. `buffer_len` is the length of a
/// buffer that usually does not match the selection.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check(selection: &Selection, shape: &[usize], buffer_len: usize) {
    check_parts(selection, shape);
    check_lengths(selection, buffer_len);
    for seed in buffer_len..buffer_len + STRIDES.len() {
        let stride =
            |axis| STRIDES[(seed + axis * (1 + buffer_len / STRIDES.len())) % STRIDES.len()];
        let strides: Vec<isize> = (0..shape.len()).map(stride).collect();
        check_layout(selection, &strides);
    }
    if selection.input_len() <= MAX_ELEMENTS {
        check_elements(selection);
    }
}

/// Checks the documented properties of a selection's axes, shapes and lengths.
fn check_parts(selection: &Selection, shape: &[usize]) {
    assert_eq!(selection.input_shape(), shape);
    assert_eq!(selection.axes().unwrap().len(), shape.len());
    for (range, &size) in selection.axes().unwrap().iter().zip(shape) {
        let (start, step, len) = (range.start(), range.step(), range.len());
        assert_ne!(step, 0);
        assert!(
            len > 0 || (start, step) == (0, 1),
            "an empty range is not normalized: {range:?}"
        );
        assert!(
            len != 1 || step == 1,
            "a range of one position is not normalized: {range:?}"
        );
        for k in [0, len.saturating_sub(1)] {
            let position = start as i128 + k as i128 * step as i128;
            assert!(
                len == 0 || (0..size as i128).contains(&position),
                "{range:?} exceeds an axis of length {size}"
            );
        }
    }
    assert_eq!(
        selection.output_axes().len(),
        selection.output_shape().len()
    );
    let mut kept = Vec::new();
    for (origin, &len) in selection.output_axes().iter().zip(selection.output_shape()) {
        match *origin {
            OutputAxis::Input(axis) => {
                kept.push(axis);
                assert_eq!(len, selection.axes().unwrap()[axis].len());
            }
            OutputAxis::New { len: new } => assert_eq!(len, new),
        }
    }
    assert!(
        kept.is_sorted_by(|a, b| a < b),
        "the kept axes are not in ascending order: {kept:?}"
    );
    for (axis, range) in selection.axes().unwrap().iter().enumerate() {
        assert!(kept.contains(&axis) || range.len() == 1);
    }
    for (shape, len) in [
        (shape, selection.input_len()),
        (selection.output_shape(), selection.len()),
    ] {
        let product = shape
            .iter()
            .try_fold(1_u128, |product, &size| product.checked_mul(size as u128));
        assert!(shape.contains(&0) && len == 0 || product == Some(len as u128));
        assert!(len <= isize::MAX as usize);
    }
    assert_eq!(selection.is_empty(), selection.output_shape().contains(&0));
    assert_eq!(selection.indices().len(), selection.len());
}

/// Checks that a buffer of the wrong length is rejected and left unchanged.
fn check_lengths(selection: &Selection, buffer_len: usize) {
    let (input, output) = (selection.input_len(), selection.len());
    let buffer_error = |expected| {
        Err(SliceError::BufferLength {
            expected,
            actual: buffer_len,
        })
    };
    let mut buffer = vec![Wrapping(7_u16); buffer_len];
    if buffer_len != input {
        assert_eq!(
            selection.gather(&buffer),
            buffer_error(input).map(|()| vec![])
        );
        assert_eq!(
            selection.gather_cloned(&buffer),
            buffer_error(input).map(|()| vec![])
        );
        assert_eq!(selection.gather_into(&buffer, &mut []), buffer_error(input));
    }
    if buffer_len != output {
        assert_eq!(selection.scatter(&buffer, &mut []), buffer_error(output));
        assert_eq!(
            selection.scatter_add(&buffer, &mut []),
            buffer_error(output)
        );
    }
    if output <= MAX_ELEMENTS && buffer_len != input {
        let values = vec![Wrapping(1); output];
        assert_eq!(selection.scatter(&values, &mut buffer), buffer_error(input));
        assert_eq!(
            selection.scatter_add(&values, &mut buffer),
            buffer_error(input)
        );
        assert!(buffer.iter().all(|&element| element == Wrapping(7)));
    }
    if selection.input_len() <= MAX_ELEMENTS && buffer_len != output {
        let data = vec![Wrapping(1); input];
        assert_eq!(
            selection.gather_into(&data, &mut buffer),
            buffer_error(output)
        );
        assert!(buffer.iter().all(|&element| element == Wrapping(7)));
    }
}

/// Strides chosen so that some of their products and sums overflow.
pub const STRIDES: [isize; 9] = [
    1,
    isize::MIN,
    isize::MAX / 2 + 1,
    -1,
    isize::MAX,
    0,
    isize::MIN / 2,
    -3,
    1 << (isize::BITS / 2),
];

/// Checks that the layout of a selection is exact for any strides, and that it is rejected only if a stride of the
/// layout or the offset of an element does not fit in `isize`.
///
/// # Panics
///
/// Panics if a check fails.
pub fn check_layout(selection: &Selection, strides: &[isize]) {
    let axes = selection.axes().unwrap();
    let offset_at = |range: &AxisRange, k: usize, stride: isize| {
        (range.start() as i128 + k as i128 * range.step() as i128) * stride as i128
    };
    let fits = |x: i128| isize::try_from(x).is_ok();
    let ranges = || axes.iter().zip(strides);
    let first_offset = || {
        ranges()
            .map(|(range, &stride)| offset_at(range, 0, stride))
            .sum::<i128>()
    };
    let outermost_offset = |pick: fn(i128, i128) -> i128| -> i128 {
        let ends = |(range, &stride): (&AxisRange, &isize)| {
            pick(
                offset_at(range, 0, stride),
                offset_at(range, range.len() - 1, stride),
            )
        };
        ranges().map(ends).sum()
    };
    match selection.layout(strides) {
        Ok(layout) if selection.is_empty() => {
            assert_eq!(layout.shape(), selection.output_shape());
            assert_eq!(layout.offset(), 0);
        }
        Ok(layout) => {
            assert_eq!(layout.shape(), selection.output_shape());
            assert_eq!(layout.offset() as i128, first_offset());
            assert!(fits(outermost_offset(Ord::min)) && fits(outermost_offset(Ord::max)));
            for (origin, &actual) in selection.output_axes().iter().zip(layout.strides()) {
                let exact = match *origin {
                    OutputAxis::Input(axis) => axes[axis].step() as i128 * strides[axis] as i128,
                    OutputAxis::New { .. } => 0,
                };
                assert_eq!(actual as i128, exact);
            }
        }
        Err(SliceError::StrideOverflow { axis, stride }) => {
            assert_eq!(strides[axis], stride);
            let step_overflows =
                ranges().any(|(range, &stride)| !fits(range.step() as i128 * stride as i128));
            assert!(
                step_overflows
                    || !fits(outermost_offset(Ord::min))
                    || !fits(outermost_offset(Ord::max))
            );
        }
        Err(error) => panic!("unexpected error: {error}"),
    }
    let result = selection.layout(&strides[..strides.len().saturating_sub(1)]);
    assert_eq!(result.is_err(), !strides.is_empty());
}

/// Checks that copies gather and scatter exactly the selected elements.
fn check_elements(selection: &Selection) {
    let offsets = offsets(selection);
    assert!(selection.indices().eq(offsets.iter().copied()));
    assert_eq!(selection.indices().last(), offsets.last().copied());
    let mut indices = selection.indices();
    let mut rest = &offsets[..];
    for n in [0, 2, 1, 7, 40, 300] {
        assert_eq!(indices.nth(n), rest.get(n).copied());
        rest = rest.get(n + 1..).unwrap_or_default();
        assert_eq!(indices.len(), rest.len());
    }
    let data: Box<[u32]> = (0..selection.input_len() as u32)
        .map(|i| i * 7 + 1)
        .collect();
    let gathered: Box<[u32]> = offsets.iter().map(|&offset| data[offset]).collect();
    assert_eq!(selection.gather(&data).as_deref(), Ok(&*gathered));
    assert_eq!(selection.gather_cloned(&data).as_deref(), Ok(&*gathered));
    let mut out = vec![0; gathered.len()].into_boxed_slice();
    assert_eq!(selection.gather_into(&data, &mut out), Ok(()));
    assert_eq!(out, gathered);

    let mut expected = vec![Wrapping(3); data.len()];
    let values: Box<[_]> = gathered.iter().copied().map(Wrapping).collect();
    let mut scattered = expected.clone().into_boxed_slice();
    let mut added = scattered.clone();
    for (&offset, &value) in offsets.iter().zip(&values) {
        expected[offset] = value;
    }
    assert_eq!(selection.scatter(&values, &mut scattered), Ok(()));
    assert_eq!(*scattered, *expected);
    for &offset in &offsets {
        expected[offset] += 3;
    }
    assert_eq!(selection.scatter_add(&values, &mut added), Ok(()));
    assert_eq!(*added, *expected);
}

/// Computes the offset of each selected element, axis by axis.
fn offsets(selection: &Selection) -> Vec<usize> {
    if selection.is_empty() {
        return Vec::new();
    }
    // Each dropped axis has one position, and the kept axes are in the order of the input, so the loop computes the
    // offsets in output order.
    let mut offsets = vec![0];
    for (range, &size) in selection
        .axes()
        .unwrap()
        .iter()
        .zip(selection.input_shape())
    {
        let inner = |outer: usize| {
            range
                .positions()
                .map(move |position| outer * size + position)
        };
        offsets = offsets.into_iter().flat_map(inner).collect();
    }
    offsets
}
