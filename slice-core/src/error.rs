//! Everything that can be wrong with a slice, a shape or a buffer.

use core::fmt::{self, Display};

/// Why a slice cannot be applied.
///
/// `item` is the position of the item in the slice counted from 0, as in `begin()[item]`; messages count from 1.
/// Messages begin with NumPy's own words where NumPy has the same error. The kind of error is part of the API; its
/// text is not.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SliceError {
    /// More items consume an axis than there are axes.
    TooManyIndices {
        /// The number of axes.
        rank: usize,
        /// The number of items that consume one.
        indexed: usize,
    },
    /// An index is not in `-size..size`.
    IndexOutOfBounds {
        /// The item that holds the index.
        item: usize,
        /// The axis that it meets.
        axis: usize,
        /// The index as written.
        index: i64,
        /// The length of the axis.
        size: usize,
    },
    /// The stride of a range is zero.
    ZeroStride {
        /// The item that holds the range.
        item: usize,
        /// The axis that it meets.
        axis: usize,
        /// The begin of the range as written.
        begin: Option<i64>,
        /// The end of the range as written.
        end: Option<i64>,
    },
    /// There is a second `...`.
    MultipleEllipses {
        /// The first ellipsis.
        first: usize,
        /// The second one.
        second: usize,
    },
    /// An index has a stride below 1.
    IndexStride {
        /// The item that holds the index.
        item: usize,
        /// The axis that it meets, where a shape is known.
        axis: Option<usize>,
        /// The stride given with it.
        stride: i64,
    },
    /// `begin`, `end` and `strides` do not have one length.
    LengthMismatch {
        /// The length of `begin`.
        begin: usize,
        /// The length of `end`.
        end: usize,
        /// The length of `strides`.
        strides: usize,
    },
    /// There are more items than a spec can hold.
    TooManyItems {
        /// The number of items.
        items: usize,
        /// The most there may be.
        limit: usize,
    },
    /// A mask has a bit for an item that does not exist.
    MaskRange {
        /// The lowest such bit.
        bit: u32,
        /// The number of items.
        items: usize,
    },
    /// A bit mask does not fit the 32 bits that TensorFlow has for it.
    MaskOverflow {
        /// The name of the mask.
        mask: &'static str,
        /// Its value.
        value: i64,
    },
    /// A bit mask is negative, which MindSpore does not take for a bit pattern.
    NegativeMask {
        /// The name of the mask.
        mask: &'static str,
        /// Its value.
        value: i64,
    },
    /// An element of one of OpenVINO's mask lists is neither 0 nor 1.
    MaskElement {
        /// The name of the mask.
        mask: &'static str,
        /// The position in the list.
        item: usize,
        /// The element.
        value: i64,
    },
    /// A stride is zero, found before the entries met the axes: in OpenVINO that of a range, in MindSpore any.
    ZeroInStrides {
        /// The entry.
        item: usize,
    },
    /// There are more entries than axes, which MindSpore refuses even if some of them consume no axis.
    MoreItemsThanAxes {
        /// The number of entries.
        items: usize,
        /// The number of axes.
        rank: usize,
    },
    /// The input has no axis, and the operation does not slice scalars.
    ScalarInput,
    /// One of ONNX's vectors does not have as many entries as `starts`.
    VectorLength {
        /// The name of the vector.
        vector: &'static str,
        /// The number of entries of `starts`.
        expected: usize,
        /// The number of entries of the vector.
        actual: usize,
    },
    /// The axis of an ONNX entry is not in `-rank..rank`.
    AxisOutOfRange {
        /// The entry.
        item: usize,
        /// The axis as written; without `axes`, the position of the entry.
        axis: i64,
        /// The number of axes of the input.
        rank: usize,
    },
    /// Two entries of ONNX's `axes` name the same axis.
    RepeatedAxis {
        /// The first entry.
        first: usize,
        /// The second one.
        second: usize,
        /// The axis, counted from the front.
        axis: usize,
    },
    /// An ONNX operator set does not have the operator, or not with this attribute.
    Opset {
        /// The version of the operator set.
        opset: u32,
        /// The attribute that it does not have; `None` where it does not have the operator.
        attribute: Option<&'static str>,
    },
    /// An axis, or an array as a whole, is longer than `isize::MAX`.
    TooLarge {
        /// The axis at which the number of elements goes over the limit.
        axis: usize,
        /// Its length.
        size: usize,
    },
    /// A buffer does not have the number of elements that the selection needs.
    BufferLength {
        /// The number of elements needed.
        expected: usize,
        /// The number of elements given.
        actual: usize,
    },
    /// Something that needs one entry for each axis has another number of entries.
    RankMismatch {
        /// The number of axes.
        expected: usize,
        /// The number of entries given.
        actual: usize,
    },
    /// Two shapes that must be equal differ.
    ShapeMismatch {
        /// The first axis at which they differ.
        axis: usize,
        /// The length needed there.
        expected: usize,
        /// The length given there.
        actual: usize,
    },
    /// A distance in memory does not fit `isize`.
    StrideOverflow {
        /// The input axis.
        axis: usize,
        /// The stride given for it.
        stride: isize,
    },
}

/// A bound as Python writes it: nothing where it was left out.
pub(crate) struct Bound(pub(crate) Option<i64>);

impl Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(bound) => write!(f, "{bound}"),
            None => Ok(()),
        }
    }
}

impl Display for SliceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            SliceError::TooManyIndices { rank, indexed } => write!(
                f,
                "too many indices for array: array is {rank}-dimensional, but {indexed} were indexed; remove {}",
                indexed.saturating_sub(rank),
            ),
            SliceError::IndexOutOfBounds {
                item,
                axis,
                index,
                size,
            } => write!(
                f,
                "index {index} is out of bounds for axis {axis} with size {size} (item {} of the slice)",
                item + 1,
            ),
            SliceError::ZeroStride {
                item,
                axis,
                begin,
                end,
            } => write!(
                f,
                "slice step cannot be zero (item {} of the slice, `{}:{}:0`, on axis {axis}); 1 takes every element",
                item + 1,
                Bound(begin),
                Bound(end),
            ),
            SliceError::MultipleEllipses { first, second } => write!(
                f,
                "an index can only have a single ellipsis ('...'): items {} and {} both are; use `:` for one whole axis",
                first + 1,
                second + 1,
            ),
            SliceError::IndexStride { item, axis, stride } => {
                write!(
                    f,
                    "only stride 1 allowed on non-range indexing: item {} is an index",
                    item + 1
                )?;
                if let Some(axis) = axis {
                    write!(f, " on axis {axis}")?;
                }
                write!(f, " with stride {stride}")
            }
            SliceError::LengthMismatch {
                begin,
                end,
                strides,
            } => write!(
                f,
                "begin, end and strides must have the same length, but have {begin}, {end} and {strides} entries",
            ),
            SliceError::TooManyItems { items, limit } => {
                write!(
                    f,
                    "too many items: the slice has {items}, and at most {limit} are possible"
                )
            }
            SliceError::MaskRange { bit, items } => {
                write!(
                    f,
                    "mask bit {bit} names item {}, but the slice has {items} items",
                    bit + 1
                )
            }
            SliceError::MaskOverflow { mask, value } => {
                write!(f, "attr {mask} has value {value} out of range for an int32")
            }
            SliceError::NegativeMask { mask, value } => {
                write!(f, "{mask} must not be negative, but is {value}")
            }
            SliceError::MaskElement { mask, item, value } => write!(
                f,
                "all elements of {mask} must be 0 or 1, but element {} is {value}",
                item + 1,
            ),
            SliceError::ZeroInStrides { item } => write!(
                f,
                "strides must be non-zero, but that of item {} is 0; 1 takes every element",
                item + 1,
            ),
            SliceError::MoreItemsThanAxes { items, rank } => write!(
                f,
                "begin, end and strides must not be longer than the array has axes: array is {rank}-dimensional, but \
                 there are {items} entries, new axes and ellipsis included",
            ),
            SliceError::ScalarInput => f.write_str("cannot slice scalars: array is 0-dimensional"),
            SliceError::VectorLength {
                vector,
                expected,
                actual,
            } => write!(
                f,
                "starts and {vector} must have the same length, but have {expected} and {actual} entries",
            ),
            SliceError::AxisOutOfRange { item, axis, rank } => write!(
                f,
                "axis {axis} is out of bounds for array of dimension {rank} (entry {} of the slice)",
                item + 1,
            ),
            SliceError::RepeatedAxis {
                first,
                second,
                axis,
            } => write!(
                f,
                "axes has duplicates: entries {} and {} both name axis {axis}",
                first + 1,
                second + 1,
            ),
            SliceError::Opset { opset, attribute } => match attribute {
                Some(attribute) => write!(
                    f,
                    "operator Slice has no attribute {attribute} in opset {opset}; it came with opset 10"
                ),
                None => write!(
                    f,
                    "operator Slice is not in opset {opset}; it came with opset 1"
                ),
            },
            SliceError::TooLarge { axis, size } => write!(
                f,
                "array is too big: with axis {axis} of size {size} it has more than {} elements",
                isize::MAX,
            ),
            SliceError::BufferLength { expected, actual } => {
                write!(
                    f,
                    "buffer has {actual} elements, but the selection needs exactly {expected}"
                )
            }
            SliceError::RankMismatch { expected, actual } => {
                write!(
                    f,
                    "array is {expected}-dimensional, but {actual} entries were given; give one for each axis"
                )
            }
            SliceError::ShapeMismatch {
                axis,
                expected,
                actual,
            } => {
                write!(
                    f,
                    "shapes differ at axis {axis}: size {actual} was given where {expected} is needed"
                )
            }
            SliceError::StrideOverflow { axis, stride } => {
                write!(
                    f,
                    "stride {stride} of axis {axis} reaches further than memory does"
                )
            }
        }
    }
}

impl core::error::Error for SliceError {}
