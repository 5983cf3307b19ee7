//! The error type for slices, shapes and buffers.

pub(crate) mod display;
pub(crate) mod message;
pub(crate) mod resolve_error;

use alloc::boxed::Box;

/// The reason why a slice cannot be created or applied.
///
/// Items and axes in the fields are counted from 0, so `spec.begin()[item]` is the entry for that item. The messages
/// count axes from 0, but items from 1. If NumPy reports the same error, the message begins with NumPy's wording. The
/// variants are part of the API, but their messages are not. `Debug` writes the message as well, because `unwrap` prints it.
///
/// # Example
///
/// ```
/// use slice_core::{SliceError, s};
///
/// let error = s![0, 9].resolve(&[2, 3]).unwrap_err();
/// assert_eq!(error, SliceError::IndexOutOfBounds { item: 1, axis: 1, index: 9, size: 3 });
/// assert_eq!(error.to_string(), "index 9 is out of bounds for axis 1 with size 3 (item 2 of the slice)");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// The slice has more indices, ranges and lists than the array has axes.
    TooManyIndices {
        /// The number of axes of the array.
        rank: usize,
        /// The number of items that consume an axis: indices, ranges and lists.
        indexed: usize,
    },
    /// An index is not in `-size..size`.
    IndexOutOfBounds {
        /// The number of the index among the items of the slice.
        item: usize,
        /// The axis to which the index applies.
        axis: usize,
        /// The index, as written.
        index: i64,
        /// The length of the axis.
        size: usize,
    },
    /// The step of a range is zero.
    ZeroStep {
        /// The number of the range among the items of the slice.
        item: usize,
        /// The axis to which the range applies.
        axis: usize,
        /// The `begin` of the range, as written.
        begin: Option<i64>,
        /// The `end` of the range, as written.
        end: Option<i64>,
    },
    /// An index in a list is not in `-size..size`.
    ListIndexOutOfBounds {
        /// The number of the list among the items of the slice.
        item: usize,
        /// The number of the index within the list, counted from 0. The message counts from 1.
        place: usize,
        /// The axis to which the list applies.
        axis: usize,
        /// The index, as written.
        index: i128,
        /// The length of the axis.
        size: usize,
    },
    /// A mask and the axes to which it applies have different lengths.
    MaskLength {
        /// The number of the mask among the items of the slice.
        item: usize,
        /// The first axis whose length differs.
        axis: usize,
        /// The length of the mask on this axis.
        len: usize,
        /// The length of the axis.
        size: usize,
    },
    /// The slice has a second `...`.
    MultipleEllipses {
        /// The number of the first ellipsis among the items of the slice.
        first: usize,
        /// The number of the second ellipsis among the items of the slice.
        second: usize,
    },
    /// An index has a stride below 1.
    IndexStride {
        /// The number of the index among the items of the slice.
        item: usize,
        /// The axis to which the index applies, or `None` if no shape is known.
        axis: Option<usize>,
        /// The stride given with the index.
        stride: i64,
    },
    /// `begin`, `end` and `strides` have different lengths.
    LengthMismatch {
        /// The length of `begin`.
        begin: usize,
        /// The length of `end`.
        end: usize,
        /// The length of `strides`.
        strides: usize,
    },
    /// A slice has more items than a spec can hold.
    TooManyItems {
        /// The number of items, or a lower bound of this number if the items come from an iterator.
        items: usize,
        /// The maximum number of items.
        limit: usize,
    },
    /// A bit mask has a bit set for an item that does not exist.
    MaskRange {
        /// The number of the lowest bit that is set for a missing item, counted from 0.
        bit: u32,
        /// The number of items.
        items: usize,
    },
    /// An axis or an array has more than `isize::MAX` elements.
    TooLarge {
        /// The axis at which the number of elements exceeds the limit.
        axis: usize,
        /// The length of that axis.
        size: usize,
    },
    /// The number of elements in a buffer differs from the number that the selection needs.
    BufferLength {
        /// The number of elements needed.
        expected: usize,
        /// The number of elements given.
        actual: usize,
    },
    /// A per-axis list does not have one entry for each axis.
    RankMismatch {
        /// The number of axes.
        expected: usize,
        /// The number of entries given.
        actual: usize,
    },
    /// A range given as start, step and length has a step of 0 or is not within its axis.
    InvalidRange {
        /// The axis.
        axis: usize,
        /// The first position.
        start: usize,
        /// The distance from one position to the next.
        step: isize,
        /// The number of positions.
        len: usize,
        /// The length of the axis.
        size: usize,
    },
    /// The output axes list an input axis that does not exist, do not list input axes in ascending order, or omit an
    /// input axis that does not have exactly one position.
    InvalidOutputAxis {
        /// The input axis that does not exist, is out of order, or is omitted.
        axis: usize,
    },
    /// Two shapes that must be equal differ. Either a selection is applied to a shape for which it was not resolved, or
    /// a slice is copied into an array with a different shape.
    ShapeMismatch {
        /// The shape needed.
        expected: Box<[usize]>,
        /// The shape given.
        actual: Box<[usize]>,
    },
    /// A value cannot be broadcast to the shape of the slice to which it is assigned.
    Broadcast {
        /// The shape of the value. In an assignment, superfluous leading axes of length 1 are omitted.
        value: Box<[usize]>,
        /// The shape of the slice.
        slice: Box<[usize]>,
    },
    /// A value cannot be broadcast to the shape of the elements selected by a slice with lists.
    BroadcastToLists {
        /// The shape of the value.
        value: Box<[usize]>,
        /// The shape of the selected elements.
        result: Box<[usize]>,
    },
    /// The lists of points cannot be broadcast together.
    BroadcastPoints {
        /// The number of the points among the items of the slice.
        item: usize,
        /// The shapes of the lists that have axes.
        shapes: Box<[Box<[usize]>]>,
    },
    /// Points have no lists, so they apply to no axis.
    EmptyPoints {
        /// The number of the points among the items of the slice.
        item: usize,
    },
    /// Two mutable slices of one array share an element.
    Overlap {
        /// The number of the first of the two slices, counted from 0.
        first: usize,
        /// The number of the second of the two slices, counted from 0.
        second: usize,
        /// The position of an array element that both slices select.
        position: Box<[usize]>,
    },
    /// The positions in a list have no constant step, so the selected elements have no layout, and no view can represent
    /// them.
    NotStrided,
    /// An item lists positions of several axes together, or gives several axes, where only lists and masks with one axis
    /// are supported.
    JoinedAxes {
        /// The first axis to which the item applies.
        axis: usize,
        /// The number of axes to which the item applies.
        axes: usize,
        /// The number of axes of the result that the item gives.
        rank: usize,
    },
    /// The slice selects no element or several elements, where exactly one is required.
    NotOneElement {
        /// The number of selected elements.
        elements: usize,
    },
    /// Memory for a result could not be allocated.
    Allocation {
        /// The number of elements that the result would have.
        elements: usize,
    },
    /// A distance in memory does not fit in an `isize`.
    StrideOverflow {
        /// The input axis.
        axis: usize,
        /// The stride given for that axis.
        stride: isize,
    },
}

impl core::error::Error for SliceError {}

/// Writes the message of an error as its `Debug`, so that `unwrap` and `expect` print the message.
macro_rules! debug_is_message {
    ($Error:ty) => {
        impl core::fmt::Debug for $Error {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                core::fmt::Display::fmt(self, f)
            }
        }
    };
}
pub(crate) use debug_is_message;

debug_is_message! { SliceError }
