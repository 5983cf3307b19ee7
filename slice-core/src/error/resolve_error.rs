//! Errors from applying a slice to a shape, at run time or during constant evaluation.

use core::mem::ManuallyDrop;

use super::SliceError;
use super::message::{Message, append};

/// An error in a function that can be evaluated in constants, in which no value with a destructor can be dropped. The variant
/// of the error owns no memory, because memory cannot be allocated in constants.
#[derive(Debug)]
pub(crate) struct ResolveError(ManuallyDrop<SliceError>);

impl ResolveError {
    #[inline]
    pub(crate) const fn new(error: SliceError) -> Self {
        ResolveError(ManuallyDrop::new(error))
    }

    /// Panics with the error's message. In a constant, the compiler shows the message.
    #[cold]
    #[track_caller]
    pub(crate) const fn panic(self) -> ! {
        ManuallyDrop::into_inner(self.0).const_message().panic()
    }
}

impl From<ResolveError> for SliceError {
    #[inline]
    fn from(error: ResolveError) -> Self {
        ManuallyDrop::into_inner(error.0)
    }
}

/// Returns a remark about an index that may stand for every index beyond it, because a spec stores the nearest `i64`.
const fn saturated(index: i128) -> &'static str {
    const GREATEST: i128 = i64::MAX as i128;
    const LEAST: i128 = i64::MIN as i128;
    match index {
        GREATEST | i128::MAX => "; a greater index is shown as this one",
        LEAST => "; a lesser index is shown as this one",
        _ => "",
    }
}

impl SliceError {
    /// Returns the message of an error that can occur in constants, or an empty message.
    pub(crate) const fn const_message(&self) -> Message {
        let mut m = Message::new();
        match *self {
            SliceError::TooManyIndices { rank, indexed } => append!(m:
                "too many indices for array: array is " {rank} "-dimensional, but " {indexed} " were indexed; remove "
                {indexed.saturating_sub(rank)} " of the indices, or use an array with more axes"
            ),
            SliceError::IndexOutOfBounds {
                item,
                axis,
                index,
                size,
            } => append!(m:
                "index " {index} " is out of bounds for axis " {axis} " with size " {size}
                " (item " {item as i128 + 1} " of the slice" [saturated(index as i128)] ")"
            ),
            SliceError::ListIndexOutOfBounds {
                item,
                place,
                axis,
                index,
                size,
            } => append!(m:
                "index " {index} " is out of bounds for axis " {axis} " with size " {size}
                " (item " {item as i128 + 1} " of the slice, entry " {place as i128 + 1} " of its list" [saturated(index)] ")"
            ),
            SliceError::MaskLength {
                item,
                axis,
                len,
                size,
            } => append!(m:
                "boolean index did not match indexed array along axis " {axis} "; size of axis is " {size}
                " but size of corresponding boolean axis is " {len}
                " (item " {item as i128 + 1} " of the slice); give one boolean for each position"
            ),
            SliceError::ZeroStep {
                item,
                axis,
                begin,
                end,
            } => {
                append!(m: "slice step cannot be zero (item " {item as i128 + 1} " of the slice, `");
                if let Some(begin) = begin {
                    append!(m: {begin});
                }
                append!(m: ":");
                if let Some(end) = end {
                    append!(m: {end});
                }
                append!(m: ":0`, on axis " {axis} "); use 1 to take every element");
            }
            SliceError::TooLarge { axis, size } => append!(m:
                "array is too big: axis " {axis} " of size " {size} " brings it to more than " {isize::MAX} " elements"
            ),
            SliceError::BufferLength { expected, actual } => append!(m:
                "buffer has " {actual} " elements, but the selection needs exactly " {expected}
                " (an array needs one for each position in its shape, and values need one for each selected position)"
            ),
            _ => {}
        }
        m
    }
}
