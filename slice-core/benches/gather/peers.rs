//! The same slice in the words of other crates.

use ndarray::{ArrayViewD, ArrayViewMutD, SliceInfoElem};
use rten_tensor::{Layout, SliceItem, SliceRange, TensorView};
use slice_core::{OutputAxis, Selection};
use std::mem::MaybeUninit;

/// Whether an output axis keeps an input axis, for all input axes.
fn kept(selection: &Selection) -> Vec<bool> {
    let mut kept = vec![false; selection.axes().len()];
    for origin in selection.output_axes() {
        if let OutputAxis::Input(axis) = *origin {
            kept[axis] = true;
        }
    }
    kept
}

/// The slice for ndarray, whose negative steps walk the same range backwards; new axes change no element.
pub fn ndarray_items(selection: &Selection) -> Vec<SliceInfoElem> {
    let axes = selection.axes().iter().zip(kept(selection));
    axes.map(|(axis, kept)| {
        let last = axis.start as isize + axis.step * (axis.len as isize - 1);
        let (low, high) = (last.min(axis.start as isize), last.max(axis.start as isize));
        match kept {
            false => SliceInfoElem::Index(low),
            true => SliceInfoElem::Slice {
                start: low,
                end: Some(high + 1),
                step: axis.step,
            },
        }
    })
    .collect()
}

/// `out.assign(&input.slice(items))`, with `out` in the shape of the slice.
pub fn ndarray_assign<T: Copy>(input: &ArrayViewD<'_, T>, items: &[SliceInfoElem], out: &mut [T]) {
    let view = input.slice(items);
    let mut out =
        ArrayViewMutD::from_shape(view.raw_dim(), out).expect("the output has the slice's size");
    out.assign(&view);
}

/// The slice for rten, which has no views with negative steps.
pub fn rten_items(selection: &Selection) -> Option<Vec<SliceItem>> {
    let axes = selection.axes().iter().zip(kept(selection));
    axes.map(|(axis, kept)| {
        let end = axis.start as isize + axis.step * (axis.len as isize - 1) + 1;
        match kept {
            _ if axis.step < 0 => None,
            false => Some(SliceItem::Index(axis.start as isize)),
            true => Some(SliceItem::Range(SliceRange::new(
                axis.start as isize,
                Some(end),
                axis.step,
            ))),
        }
    })
    .collect()
}

/// rten's copy of the slice into a buffer.
pub fn rten_copy<T: Copy>(
    input: &TensorView<'_, T>,
    items: &[SliceItem],
    out: &mut [MaybeUninit<T>],
) {
    let view = input.slice(items);
    assert_eq!(view.len(), out.len());
    rten_tensor::AsView::copy_into_slice(&view, out);
}
