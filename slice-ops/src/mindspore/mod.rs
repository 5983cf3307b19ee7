//! MindSpore's operation `StridedSlice`, `mindspore.ops.strided_slice`.
//!
//! Entry `i` is `begin[i]`, `end[i]`, `strides[i]` and bit `i` of each mask. There are two cases.
//!
//! *View*: the vectors have the same length, all masks are 0 and all strides are above 0. There must be no more entries
//! than axes. Each entry is a Python range, and an axis without an entry is whole.
//!
//! *With masks*: all other operations. MindSpore applies these rules in order:
//!
//! 1. The input has an axis; no stride is 0, for any entry; `begin`, `end` and `strides` have the same length; no mask
//!    is negative; and `ellipsis_mask` has at most one bit, including bits beyond the vectors. All other bits beyond
//!    the vectors are ignored.
//! 2. If an entry has several of the bits, ellipsis wins over new axis, and new axis over shrink. Without an ellipsis,
//!    one is implied at the end. A range or an index needs an axis.
//! 3. From left to right: an index has a stride above 0 and lies within its axis; its bit of `begin_mask` turns it into
//!    0. A range is Python's.
//! 4. There are no more entries than axes, including new axes and ellipsis.
//!
//! Source: MindSpore 2.10.0, CPU: its validation and its shape inference, with the elements that the inferred shape
//! implies. Its CPU kernel returns different elements for many slices (it ignores how new axes and the ellipsis move
//! later entries, and reads before or beyond the input). This crate reproduces neither these results nor the kernel's
//! limits of 8 axes and 32-bit strides. For other differences see [the table](super).

mod defects;
mod kernel;
mod operation;
mod program;
mod translate;

pub use program::{Gather, Op, Program};

use alloc::vec::Vec;

#[cfg(feature = "serde")]
use slice_core::deserialize_fields;
use slice_core::resolve::index_at;
use slice_core::{Selection, SliceError};

use crate::bit_masks::{BitMasked, IndexRule, bit_masked, read_masks};
use crate::entries::{StridedEntries, equal_lengths, select, set_bits, single_ellipsis};
use crate::error::OperationError;

/// MindSpore's `StridedSlice`.
///
/// Python equivalent: `mindspore.ops.strided_slice(x, begin, end, strides, begin_mask, ...)`.
///
/// # Example
///
/// ```
/// use slice_ops::mindspore::StridedSlice;
/// use slice_core::s;
///
/// let op = StridedSlice {
///     begin: vec![1, 3, 2],
///     end: vec![3, 5, 6],
///     strides: vec![1, 1, 2],
///     ..StridedSlice::default()
/// };
/// assert_eq!(op.resolve(&[5, 6, 7])?, s![1:3, 3:5, 2:6:2].resolve(&[5, 6, 7])?);
/// # Ok::<(), slice_ops::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct StridedSlice {
    /// The first position of each range, and the position of each index.
    pub begin: Vec<i64>,
    /// One past the last position of each range.
    pub end: Vec<i64>,
    /// The distance between the positions of each range.
    pub strides: Vec<i64>,
    /// Bit `i` is set if `begin[i]` is ignored.
    pub begin_mask: i64,
    /// Bit `i` is set if `end[i]` is ignored.
    pub end_mask: i64,
    /// Bit `i` is set if entry `i` is `...`.
    pub ellipsis_mask: i64,
    /// Bit `i` is set if entry `i` is a new axis.
    pub new_axis_mask: i64,
    /// Bit `i` is set if entry `i` is the index `begin[i]`.
    pub shrink_axis_mask: i64,
}

#[cfg(feature = "serde")]
deserialize_fields!(StridedSlice as "MindSpore's StridedSlice", {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    begin_mask: i64 = 0,
    end_mask: i64 = 0,
    ellipsis_mask: i64 = 0,
    new_axis_mask: i64 = 0,
    shrink_axis_mask: i64 = 0,
});

impl StridedSlice {
    /// Applies the operation to an array of this shape.
    ///
    /// Python equivalent: `mindspore.ops.strided_slice(x, ...)` for `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In MindSpore's order: [`OperationError::ScalarInput`], [`OperationError::ZeroInStrides`],
    /// [`SliceError::LengthMismatch`], [`OperationError::NegativeMask`], [`SliceError::MultipleEllipses`],
    /// [`SliceError::TooManyIndices`]; axis by axis [`SliceError::IndexStride`] and [`SliceError::IndexOutOfBounds`];
    /// then [`OperationError::MoreItemsThanAxes`]. [`SliceError::TooLarge`] if no array can have this shape.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let (items, rank) = (self.begin.len(), shape.len());
        if rank == 0 && !self.is_view() {
            return Err(OperationError::ScalarInput);
        }
        let selection = select(&self.checked()?, shape)?;
        if items > rank {
            return Err(OperationError::MoreItemsThanAxes { items, rank });
        }
        Ok(selection)
    }

    /// Returns whether the operation has no masks.
    fn is_view(&self) -> bool {
        self.masks() == [0; 5]
            && equal_lengths(&self.begin, &self.end, &self.strides).is_ok()
            && self.strides.iter().all(|&stride| stride > 0)
    }

    /// Returns the entries, after all checks that need no shape.
    pub(crate) fn checked(&self) -> Result<BitMasked<'_, Index>, OperationError> {
        if let Some(item) = self.strides.iter().position(|&stride| stride == 0) {
            return Err(OperationError::ZeroInStrides { item });
        }
        equal_lengths(&self.begin, &self.end, &self.strides)?;
        let masks = read_masks(self.masks(), bits)?;
        single_ellipsis(set_bits(masks.ellipsis))?;
        Ok(BitMasked::new(&self.begin, &self.end, &self.strides, masks))
    }
}

bit_masked!(StridedSlice);

/// Returns the bits of a mask.
fn bits(mask: &'static str, value: i64) -> Result<u64, OperationError> {
    u64::try_from(value).map_err(|_| OperationError::NegativeMask { mask, value })
}

/// MindSpore's rule for an index: its stride is above 0, and a masked begin means index 0.
#[derive(Debug)]
pub(crate) struct Index;

impl IndexRule for Index {
    fn number(entries: &BitMasked<'_, Self>, item: usize) -> i64 {
        entries.begin(item).unwrap_or(0)
    }

    fn position(
        entries: &BitMasked<'_, Self>,
        item: usize,
        axis: usize,
        size: usize,
    ) -> Result<usize, SliceError> {
        let stride = entries.stride(item);
        if stride < 0 {
            return Err(SliceError::IndexStride {
                item,
                axis: Some(axis),
                stride,
            });
        }
        index_at(item, axis, entries.index_number(item), size)
    }
}
