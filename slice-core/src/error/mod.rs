//! Errors of slices, shapes and buffers.

pub(crate) mod display;
pub(crate) mod message;
pub(crate) mod resolve_error;

use alloc::boxed::Box;

/// The reason why a slice cannot be applied.
///
/// A field named `item` is the position of an item in the slice. It is counted from 0, as in `begin()[item]`, but
/// messages count from 1. If NumPy has the same error, the message begins with NumPy's words. The kind of error is part
/// of the API, but its text is not.
///
/// # Example
///
/// ```
/// use slice_core::{SliceError, s};
///
/// let error = s![0, 9].resolve(&[2, 3]).unwrap_err();
/// assert_eq!(error, SliceError::IndexOutOfBounds { item: 1, axis: 1, index: 9, size: 3 });
/// assert_eq!(error.to_string(), "index 9 is out of bounds for axis 1 with size 3 (item 2 of the slice)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// More items consume an axis than there are axes.
    TooManyIndices {
        /// The number of axes.
        rank: usize,
        /// The number of items that consume an axis.
        indexed: usize,
    },
    /// An index is not in `-size..size`.
    IndexOutOfBounds {
        /// The item that holds the index.
        item: usize,
        /// The axis that the index applies to.
        axis: usize,
        /// The index as written.
        index: i64,
        /// The length of the axis.
        size: usize,
    },
    /// The step of a range is zero.
    ZeroStep {
        /// The item that holds the range.
        item: usize,
        /// The axis that the range applies to.
        axis: usize,
        /// The begin of the range as written.
        begin: Option<i64>,
        /// The end of the range as written.
        end: Option<i64>,
    },
    /// A position in a list is not in `-size..size`.
    ListIndexOutOfBounds {
        /// The item that is the list.
        item: usize,
        /// The place of the position in the list, counted from 0.
        place: usize,
        /// The axis that the list applies to.
        axis: usize,
        /// The position as written.
        index: i128,
        /// The length of the axis.
        size: usize,
    },
    /// A mask and its axis have different lengths.
    MaskLength {
        /// The item that is the mask.
        item: usize,
        /// The axis that the mask applies to.
        axis: usize,
        /// The number of elements of the mask.
        len: usize,
        /// The length of the axis.
        size: usize,
    },
    /// The slice has a second `...`.
    MultipleEllipses {
        /// The first ellipsis.
        first: usize,
        /// The second ellipsis.
        second: usize,
    },
    /// An index has a stride below 1.
    IndexStride {
        /// The item that holds the index.
        item: usize,
        /// The axis that the index applies to, if a shape is known.
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
    /// A chunk has more than `isize::MAX` elements.
    ChunkTooLarge {
        /// The axis at which the number of elements exceeds the limit.
        axis: usize,
        /// The length of the chunk on that axis.
        len: usize,
    },
    /// A slice has more items than a spec can hold.
    TooManyItems {
        /// The number of items.
        items: usize,
        /// The largest number allowed.
        limit: usize,
    },
    /// A mask has a bit for an item that does not exist.
    MaskRange {
        /// The lowest bit of a missing item.
        bit: u32,
        /// The number of items.
        items: usize,
    },
    /// An axis or a whole array has more than `isize::MAX` elements.
    TooLarge {
        /// The axis at which the number of elements exceeds the limit.
        axis: usize,
        /// The length of that axis.
        size: usize,
    },
    /// A buffer does not have the number of elements that the selection needs.
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
    /// The chunks of an array have no elements.
    EmptyChunk {
        /// The first axis on which a chunk has length zero.
        axis: usize,
    },
    /// A range given as start, step and length is not within its axis.
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
    /// The output axes do not name input axes in ascending order, or leave out an input axis that does not have exactly
    /// one position.
    InvalidOutputAxis {
        /// The input axis that is named wrongly, or not named.
        axis: usize,
    },
    /// Two shapes that must be equal differ. Either a selection is applied to a shape that it was not resolved for, or
    /// a slice is copied into an array of another shape.
    ShapeMismatch {
        /// The shape needed.
        expected: Box<[usize]>,
        /// The shape given.
        actual: Box<[usize]>,
    },
    /// A value does not broadcast to the shape of the slice that it is assigned to.
    Broadcast {
        /// The shape of the value, without superfluous leading axes of length 1.
        value: Box<[usize]>,
        /// The shape of the slice.
        slice: Box<[usize]>,
    },
    /// A value does not broadcast to the shape that a slice with lists selects.
    BroadcastToLists {
        /// The shape of the value.
        value: Box<[usize]>,
        /// The shape of the selected elements.
        result: Box<[usize]>,
    },
    /// Two mutable slices of one array share an element.
    Overlap {
        /// The first slice, counted from 0.
        first: usize,
        /// The second slice.
        second: usize,
        /// The position of an element of the array that both slices select.
        position: Box<[usize]>,
    },
    /// The slice must select exactly one element, but selects more or none.
    NotOneElement {
        /// The number of elements that the slice selects.
        elements: usize,
    },
    /// Memory for a result could not be allocated.
    Allocation {
        /// The number of elements that the result would have.
        elements: usize,
    },
    /// A distance in memory does not fit `isize`.
    StrideOverflow {
        /// The input axis.
        axis: usize,
        /// The stride given for that axis.
        stride: isize,
    },
}

impl core::error::Error for SliceError {}
