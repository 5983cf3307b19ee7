//! Checks that typed and dynamic slices return the same errors, and that panics report the location of the caller.

use ndarray::{Array2, Array3, ArrayD, IxDyn};
use slice_core::{SliceError, StridedSliceExt, StridedSliceMove, s};
use slice_tests::panics::panic_of;

/// Checks that `try_at` with a typed spec, `try_at` with a dynamic spec, and `resolve` return the same error, and that
/// the message of this error is `$message`.
macro_rules! check_error {
    ($array:expr, [$($items:tt)*], $error:expr, $message:literal) => {{
        let array = $array;
        let spec = s![$($items)*];
        let error: SliceError = $error;
        assert_eq!(array.try_at(spec).as_ref().err(), Some(&error));
        assert_eq!(array.try_at(spec.to_dyn()).as_ref().err(), Some(&error));
        assert_eq!(spec.resolve(array.shape()).as_ref().err(), Some(&error));
        assert_eq!(error.to_string(), $message);
    }};
}

/// Like NumPy 2.4 in the message for `x[...] = numpy.zeros(value_shape)`, the library does not abbreviate the shapes.
#[test]
fn error_messages_contain_long_shapes_in_full() {
    let shape = [&[1; 24][..], &[128, 300]].concat();
    let value_shape = [&[1; 3][..], &[129], &[1; 21], &[301]].concat();
    let mut array = ArrayD::<u8>::zeros(shape);
    let error = array
        .try_set(s![...], ArrayD::zeros(value_shape))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "could not broadcast input array from shape \
         (1,1,1,129,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,301) into shape \
         (1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,128,300); \
         axis 25 of the slice has size 300, so the value may have size 1 or 300 there, not 301"
    );
}

#[test]
fn typed_and_dynamic_slices_return_the_same_errors() {
    let zero = 0;
    check_error!(
        Array2::<u8>::zeros((2, 3)),
        [..., 3],
        SliceError::IndexOutOfBounds { item: 1, axis: 1, index: 3, size: 3 },
        "index 3 is out of bounds for axis 1 with size 3 (item 2 of the slice)"
    );
    check_error!(
        Array2::<u8>::zeros((2, 0)),
        [newaxis, :, -1],
        SliceError::IndexOutOfBounds { item: 2, axis: 1, index: -1, size: 0 },
        "index -1 is out of bounds for axis 1 with size 0 (item 3 of the slice)"
    );
    check_error!(
        Array3::<u8>::zeros((2, 3, 4)),
        [:, 1:5:zero],
        SliceError::ZeroStep { item: 1, axis: 1, begin: Some(1), end: Some(5) },
        "slice step cannot be zero (item 2 of the slice, `1:5:0`, on axis 1); use 1 to take every element"
    );
    check_error!(
        ArrayD::<u8>::zeros(IxDyn(&[2, 3])),
        [0, 0, ..., 0, newaxis],
        SliceError::TooManyIndices { rank: 2, indexed: 3 },
        "too many indices for array: array is 2-dimensional, but 3 were indexed; remove 1 of the indices, or use an array with more axes"
    );
}

/// A spec stores an index beyond the range of `i64` as the nearest `i64`, so the message must not claim that this index
/// was written.
#[test]
fn messages_about_indices_beyond_i64_say_so() {
    let check = |selection: Result<(), SliceError>, number: &str, place: &str| {
        let message = selection.map_err(|error| error.to_string()).unwrap_err();
        let start =
            format!("index {number} is out of bounds for axis 0 with size 3 (item 1 of the slice");
        assert_eq!(message, format!("{start}{place})"));
    };
    let (above, below) = (u64::MAX, i128::MIN);
    let greater = "; a greater index is shown as this one";
    let lesser = "; a lesser index is shown as this one";
    let (max, min) = ("9223372036854775807", "-9223372036854775808");
    check(s![above].resolve(&[3]).map(drop), max, greater);
    check(s![below].resolve(&[3]).map(drop), min, lesser);
    let second = |remark: &str| format!(", entry 2 of its list{remark}");
    check(
        s![[0, above]].resolve(&[3]).map(drop),
        max,
        &second(greater),
    );
    check(s![[0, below]].resolve(&[3]).map(drop), min, &second(lesser));
    check(
        s![&vec![0, above]].resolve(&[3]).map(drop),
        "18446744073709551615",
        &second(""),
    );
}

#[test]
fn too_many_indices_are_reported_before_errors_of_single_items() {
    let error = s![9, 9, ::1].resolve(&[2, 3]).unwrap_err();
    assert_eq!(
        error,
        SliceError::TooManyIndices {
            rank: 2,
            indexed: 3
        }
    );
}

#[test]
fn the_first_invalid_item_is_reported() {
    let zero = 0;
    assert!(matches!(
        s![::zero, 9].resolve(&[2, 3]),
        Err(SliceError::ZeroStep { item: 0, .. })
    ));
    assert!(matches!(
        s![9, ::zero].resolve(&[2, 3]),
        Err(SliceError::IndexOutOfBounds { item: 0, .. })
    ));
}

#[test]
fn shapes_that_are_too_large_are_rejected_unless_an_axis_is_empty() {
    let size = usize::MAX;
    assert_eq!(
        s![...].resolve(&[1, size]).unwrap_err(),
        SliceError::TooLarge { axis: 1, size }
    );
    let size = isize::MAX as usize;
    assert_eq!(
        s![0].resolve(&[2, size]).unwrap_err(),
        SliceError::TooLarge { axis: 1, size }
    );
    assert_eq!(
        s![::-1]
            .resolve(&[size, size, 0])
            .map(|selection| selection.len()),
        Ok(0)
    );
}

#[test]
fn panics_state_the_error_message_and_the_location_of_the_caller() {
    let mut a = Array2::<u8>::zeros((2, 3));
    let expected = a.try_at(s![2]).unwrap_err().to_string();
    macro_rules! assert_panics_here {
        ($call:expr) => {{
            let panic = panic_of(|| _ = $call);
            assert_eq!(
                (panic.text, &*panic.file, panic.line),
                (expected.clone(), file!(), line!())
            )
        }};
    }
    assert_panics_here!(a.at(s![2]));
    assert_panics_here!(a.at(s![2].to_dyn()));
    assert_panics_here!(a.gather(s![2]));
    assert_panics_here!(a.view().at_move(s![2]));
    assert_panics_here!(a.at_mut(s![2]));
    assert_panics_here!(a.view_mut().at_move(s![2]));
}
