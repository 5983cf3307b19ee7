//! Slices in the words of other systems, and their operations as slices.

use arbitrary::Arbitrary;
use slice_core::dialect::{mindspore, openvino, tensorflow};
use slice_core::translate::{OnnxPlan, TranslateError};
use slice_core::{DynSliceSpec, Selection, SliceError};

use super::input::{Items, Shape};

/// A slice and a shape.
#[derive(Debug, Arbitrary)]
pub struct Case {
    items: Items,
    shape: Shape,
    opset: u8,
}

/// Checks that whatever a slice is translated to selects the same; returns whether anything is selected.
///
/// # Panics
///
/// If something does not.
pub fn check(case: &Case) -> bool {
    let Ok(spec) = DynSliceSpec::from_items(case.items.0.iter().copied()) else {
        return false;
    };
    let (shape, opset) = (&case.shape.0[..], u32::from(case.opset % 20));
    let python = spec.resolve(shape);
    macro_rules! same {
        ($translated:expr) => {
            if let Ok(found) = $translated {
                let ours = found.op.resolve(shape);
                match (&python, &ours) {
                    (Err(_), Err(_)) => {}
                    _ => assert_eq!(ours, python, "{spec} of {shape:?}: {:?}", found.op),
                }
            }
        };
    }
    same!(tensorflow::StridedSlice::from_spec(&spec));
    same!(openvino::StridedSlice::from_spec(&spec));
    same!(mindspore::StridedSlice::from_spec(&spec));
    same!(OnnxPlan::from_spec(&spec, shape.len(), opset));

    let Ok(selection) = &python else {
        return false;
    };
    same!(tensorflow::StridedSlice::from_selection(selection));
    same!(openvino::StridedSlice::from_selection(selection));
    same!(OnnxPlan::from_selection(selection, opset));
    if let Ok(found) = mindspore::StridedSlice::from_selection(selection) {
        // Of nothing it may be other axes that are empty.
        let ours = found.op.resolve(shape).expect("made for this shape");
        assert_eq!(ours.output_shape(), selection.output_shape());
        assert!(ours == *selection || selection.is_empty());
    }
    if let Ok(back) = DynSliceSpec::from_selection(selection) {
        assert_eq!(back.resolve(shape).as_ref(), Ok(selection));
    }
    true
}

/// Checks the slice that an operation was translated to against what the operation selects.
pub(super) fn check_back(
    spec: Result<DynSliceSpec, TranslateError>,
    selected: &Result<Selection, SliceError>,
    shape: &[usize],
) {
    match (spec, selected) {
        (Ok(spec), Ok(_)) => assert_eq!(spec.resolve(shape), *selected, "{spec}"),
        (Err(TranslateError::Invalid(error)), Ok(_)) => panic!("{error}"),
        _ => {}
    }
}
