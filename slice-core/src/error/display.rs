//! The words of the errors. They begin with NumPy's own where NumPy has the same error.

use core::fmt::{self, Display, Formatter};

use super::SliceError;
use super::resolve_error::ResolveError;

impl SliceError {
    /// Panics with the words of the error.
    #[cold]
    #[track_caller]
    pub(crate) fn panic(&self) -> ! {
        panic!("{self}")
    }
}

impl Display for SliceError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            SliceError::TooManyIndices { rank, indexed } => f.write_str(
                ResolveError::TooManyIndices { rank, indexed }
                    .message()
                    .as_str(),
            ),
            SliceError::IndexOutOfBounds {
                item,
                axis,
                index,
                size,
            } => f.write_str(
                ResolveError::IndexOutOfBounds {
                    item,
                    axis,
                    index,
                    size,
                }
                .message()
                .as_str(),
            ),
            SliceError::ZeroStride {
                item,
                axis,
                begin,
                end,
            } => f.write_str(
                ResolveError::ZeroStride {
                    item,
                    axis,
                    begin,
                    end,
                }
                .message()
                .as_str(),
            ),
            SliceError::TooLarge { axis, size } => {
                f.write_str(ResolveError::TooLarge { axis, size }.message().as_str())
            }
            SliceError::BufferLength { expected, actual } => f.write_str(
                ResolveError::BufferLength { expected, actual }
                    .message()
                    .as_str(),
            ),
            SliceError::MultipleEllipses { first, second } => write!(
                f,
                "an index can only have a single ellipsis ('...'): items {} and {} both are; use `:` for one whole axis",
                Count(first),
                Count(second),
            ),
            SliceError::IndexStride { item, axis, stride } => {
                write!(
                    f,
                    "only stride 1 allowed on non-range indexing: item {} is an index",
                    Count(item)
                )?;
                if let Some(axis) = axis {
                    write!(f, " on axis {axis}")?;
                }
                write!(f, " with stride {stride}; use stride 1")
            }
            SliceError::LengthMismatch {
                begin,
                end,
                strides,
            } => write!(
                f,
                "begin, end and strides must have the same length, but have {begin}, {end} and {strides} entries"
            ),
            SliceError::TooManyItems { items, limit } => write!(
                f,
                "too many items: the slice has {items}, and at most {limit} are possible"
            ),
            SliceError::MaskRange { bit, items } => write!(
                f,
                "mask bit {bit} names item {}, but the slice has {items} items",
                u64::from(bit) + 1
            ),
            SliceError::MaskOverflow { mask, value } => {
                write!(f, "attr {mask} has value {value} out of range for an int32")
            }
            SliceError::NegativeMask { mask, value } => {
                write!(f, "{mask} must not be negative, but is {value}")
            }
            SliceError::MaskElement { mask, item, value } => write!(
                f,
                "all elements of {mask} must be 0 or 1, but element {} is {value}",
                Count(item)
            ),
            SliceError::ZeroInStrides { item } => write!(
                f,
                "strides must be non-zero, but that of item {} is 0; 1 takes every element",
                Count(item)
            ),
            SliceError::MoreItemsThanAxes { items, rank } => write!(
                f,
                "begin, end and strides must not be longer than the array has axes: array is {rank}-dimensional, but \
                 there are {items} entries, new axes and ellipsis included"
            ),
            SliceError::ScalarInput => f.write_str("cannot slice scalars: array is 0-dimensional"),
            SliceError::VectorLength {
                vector,
                expected,
                actual,
            } => write!(
                f,
                "starts and {vector} must have the same length, but have {expected} and {actual} entries"
            ),
            SliceError::AxisOutOfRange { item, axis, rank } => write!(
                f,
                "axis {axis} is out of bounds for array of dimension {rank} (entry {} of the slice)",
                Count(item)
            ),
            SliceError::RepeatedAxis {
                first,
                second,
                axis,
            } => write!(
                f,
                "axes has duplicates: entries {} and {} both name axis {axis}",
                Count(first),
                Count(second)
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
            SliceError::InvalidRange {
                axis,
                start,
                step,
                len,
                size,
            } => write!(
                f,
                "{len} positions from {start} in steps of {step} are not all in axis {axis} with size {size}"
            ),
            SliceError::InvalidOutputAxis { axis } => write!(
                f,
                "axes of the result must name the axes of the input in ascending order, and all that have more than one \
                 position; axis {axis} does not"
            ),
            SliceError::RankMismatch { expected, actual } => write!(
                f,
                "array is {expected}-dimensional, but {actual} entries were given; give one for each axis"
            ),
            SliceError::EmptyChunk { axis } => write!(
                f,
                "chunk length cannot be zero: that of axis {axis} is; give at least 1"
            ),
            SliceError::ShapeMismatch {
                axis,
                expected,
                actual,
            } => write!(
                f,
                "shapes differ at axis {axis}: size {actual} was given where {expected} is needed"
            ),
            SliceError::Broadcast {
                ref value,
                ref slice,
            } => {
                write!(
                    f,
                    "could not broadcast input array from shape {} into shape {}",
                    Shape(value),
                    Shape(slice)
                )?;
                misfit(f, value, slice)
            }
            SliceError::Overlap {
                first,
                second,
                ref position,
            } => write!(
                f,
                "slices {} and {} overlap: both select element {}; slices that are mutable at once must be disjoint",
                Count(first),
                Count(second),
                Shape(position)
            ),
            SliceError::OutputShape {
                ref expected,
                ref actual,
            } => write!(
                f,
                "the slice has shape {}, but the array to copy it into has shape {}",
                Shape(expected),
                Shape(actual)
            ),
            SliceError::NotOneElement { elements } => write!(
                f,
                "can only convert an array of size 1 to a scalar, but the slice selects {elements} elements"
            ),
            SliceError::GradientShape {
                ref expected,
                ref actual,
            } => write!(
                f,
                "shape of dy was {} instead of {}",
                Shape(actual),
                Shape(expected)
            ),
            SliceError::Allocation { elements } => {
                write!(f, "cannot allocate memory for {elements} elements")
            }
            SliceError::StrideOverflow { axis, stride } => write!(
                f,
                "stride {stride} of axis {axis} reaches further than memory does"
            ),
        }
    }
}

/// Where a value does not fit the slice.
fn misfit(f: &mut Formatter<'_>, value: &[usize], slice: &[usize]) -> fmt::Result {
    if slice.is_empty() {
        // What NumPy says if integers alone, without an ellipsis, name the element.
        return f.write_str(
            "; the slice is one element, so give one value: setting an array element with a sequence.",
        );
    }
    let axes = (0..slice.len()).rev();
    for (axis, &given) in axes.zip(value.iter().rev()) {
        let size = slice[axis];
        if given != 1 && given != size {
            let or = if size == 1 { "" } else { "1 or " };
            return write!(
                f,
                "; {given} meets axis {axis} of the slice, where only {or}{size} fits"
            );
        }
    }
    write!(
        f,
        "; the value has {} axes, the slice only {}",
        value.len(),
        slice.len()
    )
}

/// A position that is counted from 0, as messages count, from 1.
struct Count(usize);

impl Display for Count {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        (self.0 as u128 + 1).fmt(f)
    }
}

/// A shape, or the position of an element, as NumPy's messages write it.
struct Shape<'a>(&'a [usize]);

impl Display for Shape<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (axis, size) in self.0.iter().enumerate() {
            let comma = if axis > 0 { "," } else { "" };
            write!(f, "{comma}{size}")?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}
