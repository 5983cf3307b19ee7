//! Contains the common code of TensorFlow, MindSpore and LiteRT, whose strided slices consist of three vectors (begin,
//! end and strides) and five bit masks. See [`entries`](super::entries) for the terms.

use core::fmt::{self, Display};
use core::marker::PhantomData;

use slice_core::{ItemMasks, Masks, SliceError};

use super::entries::StridedEntries;
use crate::error::OperationError;

/// A system's rule for the entries that are indices.
pub(crate) trait IndexRule: Sized {
    /// Returns the index selected by entry `item`. The index may be negative.
    fn number(entries: &BitMasked<'_, Self>, item: usize) -> i64;

    /// Returns the position selected by entry `item` on an axis of length `size`.
    fn position(
        entries: &BitMasked<'_, Self>,
        item: usize,
        axis: usize,
        size: usize,
    ) -> Result<usize, SliceError>;
}

/// The entries of an operation whose vectors have the same length and whose masks are valid.
#[derive(Debug)]
pub(crate) struct BitMasked<'a, R> {
    vectors: [&'a [i64]; 3],
    masks: Masks,
    rule: PhantomData<R>,
}

impl<'a, R> BitMasked<'a, R> {
    pub(crate) fn new(begin: &'a [i64], end: &'a [i64], strides: &'a [i64], masks: Masks) -> Self {
        BitMasked {
            vectors: [begin, end, strides],
            masks,
            rule: PhantomData,
        }
    }
}

impl<R: IndexRule> StridedEntries for BitMasked<'_, R> {
    fn len(&self) -> usize {
        self.vectors[0].len()
    }

    fn item_masks(&self, item: usize) -> ItemMasks {
        self.masks.item_masks(item)
    }

    fn numbers(&self, item: usize) -> (i64, i64, i64) {
        let [begin, end, strides] = self.vectors;
        (begin[item], end[item], strides[item])
    }

    fn index_number(&self, item: usize) -> i64 {
        R::number(self, item)
    }

    fn index(&self, item: usize, axis: usize, size: usize) -> Result<usize, SliceError> {
        R::position(self, item, axis, size)
    }
}

/// Converts the masks for begin, end, ellipsis, new axis and shrink axis to bits. `bits` converts one mask, given its
/// name and its value.
pub(crate) fn read_masks(
    [begin, end, ellipsis, new_axis, shrink_axis]: [i64; 5],
    bits: impl Fn(&'static str, i64) -> Result<u64, OperationError>,
) -> Result<Masks, OperationError> {
    Ok(Masks {
        begin: bits("begin_mask", begin)?,
        end: bits("end_mask", end)?,
        ellipsis: bits("ellipsis_mask", ellipsis)?,
        new_axis: bits("new_axis_mask", new_axis)?,
        shrink_axis: bits("shrink_axis_mask", shrink_axis)?,
    })
}

/// Displays the nonzero bit masks as keyword arguments.
pub(crate) struct Keywords(pub(crate) [i64; 5]);

impl Display for Keywords {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [
            "begin_mask",
            "end_mask",
            "ellipsis_mask",
            "new_axis_mask",
            "shrink_axis_mask",
        ];
        for (name, mask) in names.iter().zip(self.0) {
            if mask != 0 {
                write!(f, ", {name}={mask}")?;
            }
        }
        Ok(())
    }
}

/// Implements `from_parts`, which creates an operation from its vectors and masks, and `masks`, which returns its
/// masks. If the operation has one more field, the macro call contains the name of the field and the value that
/// `from_parts` assigns to it.
///
/// The macro does not define the struct itself: each system's module does, and documents the fields in the system's own
/// words.
macro_rules! bit_masked {
    ($Operation:ident $(, $field:ident: $value:expr)?) => {
        impl $Operation {
            /// Creates the operation from its vectors and its masks for begin, end, ellipsis, new axis and shrink axis.
            pub(crate) fn from_parts(
                [begin, end, strides]: [Vec<i64>; 3],
                masks: [i64; 5],
            ) -> Self {
                let [
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                ] = masks;
                $Operation {
                    begin,
                    end,
                    strides,
                    begin_mask,
                    end_mask,
                    ellipsis_mask,
                    new_axis_mask,
                    shrink_axis_mask,
                    $($field: $value,)?
                }
            }

            /// Returns the masks for begin, end, ellipsis, new axis and shrink axis.
            pub(crate) fn masks(&self) -> [i64; 5] {
                [
                    self.begin_mask,
                    self.end_mask,
                    self.ellipsis_mask,
                    self.new_axis_mask,
                    self.shrink_axis_mask,
                ]
            }
        }
    };
}

pub(crate) use bit_masked;
