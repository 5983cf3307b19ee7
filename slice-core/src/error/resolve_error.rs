//! Errors from applying a slice to a shape, at run time or during constant evaluation.

use super::SliceError;
use super::message::{Message, append};

/// The variants of [`SliceError`] that can occur during constant evaluation. None of these variants owns memory,
/// because memory cannot be allocated during constant evaluation.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ResolveError {
    TooManyIndices {
        rank: usize,
        indexed: usize,
    },
    IndexOutOfBounds {
        item: usize,
        axis: usize,
        index: i64,
        size: usize,
    },
    ZeroStep {
        item: usize,
        axis: usize,
        begin: Option<i64>,
        end: Option<i64>,
    },
    ListIndexOutOfBounds {
        item: usize,
        place: usize,
        axis: usize,
        index: i128,
        size: usize,
    },
    MaskLength {
        item: usize,
        axis: usize,
        len: usize,
        size: usize,
    },
    TooLarge {
        axis: usize,
        size: usize,
    },
    BufferLength {
        expected: usize,
        actual: usize,
    },
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

impl ResolveError {
    /// Returns the error message.
    pub(crate) const fn message(&self) -> Message {
        let mut m = Message::new();
        match *self {
            ResolveError::TooManyIndices { rank, indexed } => append!(m:
                "too many indices for array: array is " {rank} "-dimensional, but " {indexed} " were indexed; remove "
                {indexed.saturating_sub(rank)} " of the indices"
            ),
            ResolveError::IndexOutOfBounds {
                item,
                axis,
                index,
                size,
            } => append!(m:
                "index " {index} " is out of bounds for axis " {axis} " with size " {size}
                " (item " {item as i128 + 1} " of the slice" [saturated(index as i128)] ")"
            ),
            ResolveError::ListIndexOutOfBounds {
                item,
                place,
                axis,
                index,
                size,
            } => append!(m:
                "index " {index} " is out of bounds for axis " {axis} " with size " {size}
                " (item " {item as i128 + 1} " of the slice, entry " {place as i128 + 1} " of its list" [saturated(index)] ")"
            ),
            ResolveError::MaskLength {
                item,
                axis,
                len,
                size,
            } => append!(m:
                "boolean index did not match indexed array along axis " {axis} "; size of axis is " {size}
                " but size of corresponding boolean axis is " {len}
                " (item " {item as i128 + 1} " of the slice); give one boolean for each position"
            ),
            ResolveError::ZeroStep {
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
            ResolveError::TooLarge { axis, size } => append!(m:
                "array is too big: axis " {axis} " of size " {size} " brings it to more than " {isize::MAX} " elements"
            ),
            ResolveError::BufferLength { expected, actual } => append!(m:
                "buffer has " {actual} " elements, but the selection needs exactly " {expected}
            ),
        }
        m
    }

    /// Panics with the error's message. In a constant, the compiler shows the message.
    #[cold]
    #[track_caller]
    pub(crate) const fn panic(&self) -> ! {
        self.message().panic()
    }
}

/// Implements the conversions between each variant of [`ResolveError`] and the [`SliceError`] variant of the same name.
macro_rules! same_variants {
    ($($Variant:ident { $($field:ident),* })*) => {
        impl From<ResolveError> for SliceError {
            #[inline]
            fn from(error: ResolveError) -> Self {
                match error {
                    $( ResolveError::$Variant { $($field),* } => SliceError::$Variant { $($field),* }, )*
                }
            }
        }

        impl ResolveError {
            /// Returns the variant of the same name as `error`, or `None` if there is none.
            pub(crate) fn from_slice_error(error: &SliceError) -> Option<Self> {
                match *error {
                    $( SliceError::$Variant { $($field),* } => Some(ResolveError::$Variant { $($field),* }), )*
                    _ => None,
                }
            }
        }
    };
}

same_variants! {
    TooManyIndices { rank, indexed }
    IndexOutOfBounds { item, axis, index, size }
    ZeroStep { item, axis, begin, end }
    ListIndexOutOfBounds { item, place, axis, index, size }
    MaskLength { item, axis, len, size }
    TooLarge { axis, size }
    BufferLength { expected, actual }
}
