//! Copies slices using other crates, for comparison with slice-core.

use ndarray::{
    ArrayViewD, ArrayViewMut, Dimension, Ix1, Ix2, Ix3, Ix4, Ix5, SliceArg, SliceInfo,
    SliceInfoElem,
};
use rten_tensor::{Layout, SliceItem, SliceRange, TensorView};
use slice_core::{OutputAxis, Selection};
use std::cell::RefCell;
use std::hint::black_box;
use std::mem::MaybeUninit;

use super::common::offset_buffer::OffsetBuffer;

/// Returns one boolean for each input axis. The boolean is true if the output keeps the axis.
fn kept(selection: &Selection) -> Vec<bool> {
    let mut kept = vec![false; selection.axes().unwrap().len()];
    for origin in selection.output_axes() {
        if let OutputAxis::Input(axis) = *origin {
            kept[axis] = true;
        }
    }
    kept
}

/// Converts a selection to the items of the equivalent ndarray slice. In ndarray, a negative step traverses the same
/// range from its end, so the lower bound always comes first. New axes are omitted, because they do not affect the
/// elements.
fn ndarray_items(selection: &Selection) -> Vec<SliceInfoElem> {
    let axes = selection.axes().unwrap().iter().zip(kept(selection));
    axes.map(|(axis, kept)| {
        let last = axis.start() as isize + axis.step() * (axis.len() as isize - 1);
        let (low, high) = (
            last.min(axis.start() as isize),
            last.max(axis.start() as isize),
        );
        match kept {
            false => SliceInfoElem::Index(low),
            true => SliceInfoElem::Slice {
                start: low,
                end: Some(high + 1),
                step: axis.step(),
            },
        }
    })
    .collect()
}

/// Returns two functions that copy the slice with ndarray: `output.assign(&input.slice(..))` and
/// `input.slice(..).to_owned()`.
///
/// The ranks are static, because ndarray is up to ten times as fast with static ranks as with `IxDyn`.
pub fn ndarray<'a, T: Copy + 'a>(
    selection: &Selection,
    input: &'a [T],
    output: &'a RefCell<OffsetBuffer<T>>,
) -> [Box<dyn FnMut() + 'a>; 2] {
    let items = ndarray_items(selection);
    let sliced = items
        .iter()
        .filter(|item| matches!(item, SliceInfoElem::Slice { .. }));
    let input = ArrayViewD::from_shape(selection.input_shape(), input)
        .expect("the length should match the shape");
    macro_rules! by_rank {
        ($($input:literal => $output:literal: $In:ident $Out:ident;)*) => {
            match (input.ndim(), sliced.count()) {
                $(($input, $output) => copies::<T, $In, $Out>(items, input, output),)*
                ranks => panic!("add the ranks {ranks:?} to `by_rank!`"),
            }
        };
    }
    by_rank! {
        1 => 1: Ix1 Ix1;
        2 => 1: Ix2 Ix1;
        2 => 2: Ix2 Ix2;
        3 => 2: Ix3 Ix2;
        3 => 3: Ix3 Ix3;
        4 => 4: Ix4 Ix4;
        5 => 5: Ix5 Ix5;
    }
}

fn copies<'a, T, In, Out>(
    items: Vec<SliceInfoElem>,
    input: ArrayViewD<'a, T>,
    output: &'a RefCell<OffsetBuffer<T>>,
) -> [Box<dyn FnMut() + 'a>; 2]
where
    T: Copy + 'a,
    In: Dimension + 'a,
    Out: Dimension + 'a,
    SliceInfo<Vec<SliceInfoElem>, In, Out>: SliceArg<In, OutDim = Out>,
{
    let input = input
        .into_dimensionality::<In>()
        .expect("the rank should match");
    let items = SliceInfo::<_, In, Out>::try_from(items).expect("the ranks should match");
    let (same_input, same_items) = (input.clone(), items.clone());
    let assign = move || {
        let view = black_box(&input).slice(&items);
        let mut output = output.borrow_mut();
        let output = ArrayViewMut::from_shape(view.raw_dim(), &mut output[..]);
        output
            .expect("the output should have the size of the slice")
            .assign(&view);
    };
    let to_owned = move || {
        drop(black_box(
            black_box(&same_input).slice(&same_items).to_owned(),
        ))
    };
    [Box::new(assign), Box::new(to_owned)]
}

/// Converts a selection to the items of the equivalent rten slice, or returns `None` if the selection has negative
/// steps, which rten's views do not support.
pub fn rten_items(selection: &Selection) -> Option<Vec<SliceItem>> {
    let axes = selection.axes().unwrap().iter().zip(kept(selection));
    axes.map(|(axis, kept)| {
        let end = axis.start() as isize + axis.step() * (axis.len() as isize - 1) + 1;
        match kept {
            _ if axis.step() < 0 => None,
            false => Some(SliceItem::Index(axis.start() as isize)),
            true => Some(SliceItem::Range(SliceRange::new(
                axis.start() as isize,
                Some(end),
                axis.step(),
            ))),
        }
    })
    .collect()
}

/// Copies the slice to a buffer with rten.
pub fn rten_copy<T: Copy>(
    input: &TensorView<'_, T>,
    items: &[SliceItem],
    out: &mut [MaybeUninit<T>],
) {
    let view = input.slice(items);
    assert_eq!(view.len(), out.len());
    rten_tensor::AsView::copy_into_slice(&view, out);
}
