//! MindSpore's operation `StridedSlice`, in Python `mindspore.ops.strided_slice`.
//!
//! Entry `i` consists of `begin[i]`, `end[i]`, `strides[i]`, and bit `i` of each mask. There are two cases.
//!
//! *View*: all masks are 0, all strides are positive, and `begin`, `end` and `strides` have the same length. There must
//! not be more entries than axes. Each entry is a range with the same meaning as in Python, and axes without an entry
//! are selected in full.
//!
//! *With masks*: all other operations, including those with a negative stride but no mask. MindSpore applies these
//! rules in order:
//!
//! 1. The input has at least one axis. No stride is 0, not even that of a new axis or an ellipsis. `begin`, `end` and
//!    `strides` have the same length. No mask is negative. At most one bit of `ellipsis_mask` is set, including bits
//!    beyond the last entry. Apart from this check, bits beyond the last entry are ignored.
//! 2. Entry `i` is an ellipsis if bit `i` of `ellipsis_mask` is set, a new axis if bit `i` of `new_axis_mask` is set,
//!    and an index if bit `i` of `shrink_axis_mask` is set. If several of these bits are set, the mask named first
//!    takes precedence. If none is set, the entry is a range. If there is no ellipsis, one is implied at the end. Each
//!    range and each index consumes one axis, so there must not be more ranges and indices than axes.
//! 3. From left to right: a range has the same meaning as in Python. An index is `begin[i]`, or 0 if its bit in
//!    `begin_mask` is set. It must have a positive stride and lie within its axis.
//! 4. There must not be more entries, including those for new axes and the ellipsis, than axes.
//!
//! Source: the validation and the shape inference of MindSpore 2.10.0 on the CPU. This crate selects the elements
//! implied by the inferred shape. For many slices, the CPU kernel returns different elements, because it applies entry
//! `i` to axis `i` even after new axes or an ellipsis, and because it reads before or beyond the input. This crate
//! reproduces neither these results nor the kernel's limits of 8 axes and 32-bit strides. The
//! [front page of this crate's documentation](super) lists the differences from other systems.

mod defects;
mod kernel;
mod operation;

use alloc::vec::Vec;

use slice_core::Selection;

use crate::error::OperationError;
use crate::masked_slice::{
    MaskedSlice, Rules, bit_masked, check_equal_lengths, check_single_ellipsis, read_masks,
    set_bits,
};
use crate::slice_and_gather::SliceOrGather;

/// An operation of a [`Program`].
pub type Op = SliceOrGather<StridedSlice>;

/// A sequence of MindSpore operations.
pub type Program = crate::program::Program<Op>;

/// MindSpore's `StridedSlice`.
///
/// Python equivalent: `mindspore.ops.strided_slice(x, begin, end, strides, begin_mask, ...)`.
///
/// # Example
///
/// ```
/// use slice_systems::mindspore::StridedSlice;
/// use slice_core::s;
///
/// let op = StridedSlice {
///     begin: vec![1, 3, 2],
///     end: vec![3, 5, 6],
///     strides: vec![1, 1, 2],
///     ..StridedSlice::default()
/// };
/// assert_eq!(op.resolve(&[5, 6, 7])?, s![1:3, 3:5, 2:6:2].resolve(&[5, 6, 7])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StridedSlice {
    /// The first position of each range, and the position of each index.
    pub begin: Vec<i64>,
    /// One past the last position of each range.
    pub end: Vec<i64>,
    /// The distance between neighboring positions of each range.
    pub strides: Vec<i64>,
    /// If bit `i` is set, `begin[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub begin_mask: i64,
    /// If bit `i` is set, `end[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_mask: i64,
    /// If bit `i` is set, entry `i` is an ellipsis.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ellipsis_mask: i64,
    /// If bit `i` is set, entry `i` is a new axis.
    #[cfg_attr(feature = "serde", serde(default))]
    pub new_axis_mask: i64,
    /// If bit `i` is set, entry `i` is the index `begin[i]`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub shrink_axis_mask: i64,
}

impl StridedSlice {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// Python equivalent: `mindspore.ops.strided_slice(x, ...)`, where `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In MindSpore's order:
    ///
    /// * [`OperationError::ScalarInput`] if the input has no axes and the operation is not a view.
    /// * [`OperationError::ZeroInStrides`] if a stride is 0.
    /// * [`SliceError::LengthMismatch`] if `begin`, `end` and `strides` have different lengths.
    /// * [`OperationError::NegativeMask`] if a mask is negative.
    /// * [`SliceError::MultipleEllipses`] if more than one bit of `ellipsis_mask` is set.
    /// * [`SliceError::TooManyIndices`] if there are more ranges and indices than axes.
    /// * [`SliceError::TooLarge`] if no array can have this shape.
    /// * For each index, from left to right: [`SliceError::IndexStride`] if its stride is negative, and
    ///   [`SliceError::IndexOutOfBounds`] if it is outside its axis.
    /// * [`OperationError::MoreItemsThanAxes`] if there are more entries than axes.
    ///
    /// [`SliceError::LengthMismatch`]: slice_core::SliceError::LengthMismatch
    /// [`SliceError::MultipleEllipses`]: slice_core::SliceError::MultipleEllipses
    /// [`SliceError::TooManyIndices`]: slice_core::SliceError::TooManyIndices
    /// [`SliceError::TooLarge`]: slice_core::SliceError::TooLarge
    /// [`SliceError::IndexStride`]: slice_core::SliceError::IndexStride
    /// [`SliceError::IndexOutOfBounds`]: slice_core::SliceError::IndexOutOfBounds
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::mindspore::StridedSlice;
    ///
    /// // `x[1::2]`: the end is ignored.
    /// let op = StridedSlice { begin: vec![1], end: vec![0], strides: vec![2], end_mask: 1, ..StridedSlice::default() };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [2, 5]);
    /// let error = StridedSlice { strides: vec![0], ..op }.resolve(&[4, 5]).unwrap_err();
    /// assert_eq!(error.to_string(), "strides must be non-zero, but item 1 has stride 0; use 1 to take every element");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let (items, rank) = (self.begin.len(), shape.len());
        if rank == 0 && !self.is_view() {
            return Err(OperationError::ScalarInput);
        }
        let selection = self.checked()?.resolve(shape)?;
        if items > rank {
            return Err(OperationError::MoreItemsThanAxes { items, rank });
        }
        Ok(selection)
    }

    /// Returns `true` if the result is a view: all masks are 0, all strides are positive, and `begin`, `end` and
    /// `strides` have the same length.
    fn is_view(&self) -> bool {
        self.masks() == [0; 5]
            && check_equal_lengths(&self.begin, &self.end, &self.strides).is_ok()
            && self.strides.iter().all(|&stride| stride > 0)
    }

    /// Performs all checks that do not depend on the shape, and returns the entries.
    fn checked(&self) -> Result<MaskedSlice<'_>, OperationError> {
        if let Some(item) = self.strides.iter().position(|&stride| stride == 0) {
            return Err(OperationError::ZeroInStrides { item });
        }
        check_equal_lengths(&self.begin, &self.end, &self.strides)?;
        let masks = read_masks(self.masks(), bits)?;
        check_single_ellipsis(set_bits(masks.ellipsis))?;
        Ok(self.masked(
            masks,
            Rules {
                checks_index_stride: true,
                masks_index: true,
                ..Rules::default()
            },
        ))
    }
}

bit_masked!(StridedSlice);

/// Returns the bits of a mask, or an error if the mask is negative.
fn bits(mask: &'static str, value: i64) -> Result<u64, OperationError> {
    u64::try_from(value).map_err(|_| OperationError::NegativeMask { mask, value })
}
