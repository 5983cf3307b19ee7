//! TensorFlow's operation `StridedSlice`.
//!
//! Entry `i` consists of `begin[i]`, `end[i]`, `strides[i]`, and bit `i` of each mask. TensorFlow applies these rules
//! in order:
//!
//! 1. Each mask is an int32. A negative mask is a number in two's complement, so -1 sets every bit.
//! 2. `begin`, `end` and `strides` have the same length, at most 31.
//! 3. At most one bit of `ellipsis_mask` is set, including bits beyond the last entry. Apart from this check, bits
//!    beyond the last entry are ignored.
//! 4. Entry `i` is an ellipsis if bit `i` of `ellipsis_mask` is set, a new axis if bit `i` of `new_axis_mask` is set,
//!    and an index if bit `i` of `shrink_axis_mask` is set. If several of these bits are set, the mask named first
//!    takes precedence. If none is set, the entry is a range. If there is no ellipsis, one is implied at the end. Each
//!    range and each index consumes one axis, so there must not be more ranges and indices than axes.
//! 5. From left to right: the stride of a range must not be 0. Apart from this check, a range has the same meaning as
//!    in Python. An index must have a positive stride and lie within its axis. Its `end` and its bits in `begin_mask`
//!    and `end_mask` are ignored.
//!
//! Source: TensorFlow 2.21.0, whose kernel is in `strided_slice_op.cc`. The
//! [front page of this crate's documentation](super) lists the errors in TensorFlow's documentation. This crate does
//! not reproduce two limits of the kernel: the kernel cannot copy arrays with more than 8 axes, and its masks have too
//! few bits for arrays with more than 32 axes.

mod grad;
mod update;

pub use grad::strided_slice_grad;
pub use update::tensor_strided_slice_update;

mod defects;
#[cfg(feature = "serde")]
mod node;
mod operation;

use alloc::vec::Vec;

use slice_core::{Selection, SliceError};

use crate::error::OperationError;
use crate::masked_slice::{
    MaskedSlice, Rules, bit_masked, check_equal_lengths, check_single_ellipsis, read_masks,
    set_bits,
};
use crate::slice_and_gather::SliceOrGather;

/// An operation of a [`Program`].
pub type Op = SliceOrGather<StridedSlice>;

/// A sequence of TensorFlow operations.
pub type Program = crate::program::Program<Op>;

/// The maximum number of entries. A mask has 32 bits, and TensorFlow requires fewer entries than bits.
pub(crate) const MAX_ENTRIES: usize = 31;

/// TensorFlow's `StridedSlice`, the operation that `Tensor.__getitem__` runs.
///
/// Python equivalent: `tf.raw_ops.StridedSlice(input=x, begin=..., ...)`, or `x[...]` for a tensor `x`.
///
/// With the feature `serde`, masks can also be deserialized from the form in which a graph's JSON contains them, such
/// as `{"i": "48"}`. A node's other attributes (`T`, `Index`, `_class` and `_output_shapes`) are ignored.
///
/// # Example
///
/// ```
/// use slice_systems::tensorflow::StridedSlice;
/// use slice_core::s;
///
/// let op = StridedSlice {
///     begin: vec![1, 2, 0, 0, 0, 0],
///     end: vec![2, 4, 0, 0, -3, 0],
///     strides: vec![1, 1, 1, 1, -1, 1],
///     begin_mask: 48,
///     end_mask: 32,
///     ellipsis_mask: 8,
///     new_axis_mask: 4,
///     shrink_axis_mask: 1,
/// };
/// let shape = [5, 6, 7, 8, 9];
/// assert_eq!(op.resolve(&shape)?, s![1, 2:4, None, ..., :-3:-1, :].resolve(&shape)?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(from = "node::Node"))]
pub struct StridedSlice {
    /// The first position of each range, and the position of each index.
    pub begin: Vec<i64>,
    /// One past the last position of each range.
    pub end: Vec<i64>,
    /// The distance between neighboring positions of each range.
    pub strides: Vec<i64>,
    /// If bit `i` is set, `begin[i]` is ignored.
    pub begin_mask: i64,
    /// If bit `i` is set, `end[i]` is ignored.
    pub end_mask: i64,
    /// If bit `i` is set, entry `i` is an ellipsis.
    pub ellipsis_mask: i64,
    /// If bit `i` is set, entry `i` is a new axis.
    pub new_axis_mask: i64,
    /// If bit `i` is set, entry `i` is the index `begin[i]`.
    pub shrink_axis_mask: i64,
}

impl StridedSlice {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// Python equivalent: `tf.raw_ops.StridedSlice(input=x, ...)`, where `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In TensorFlow's order:
    ///
    /// * [`OperationError::MaskOverflow`] if a mask does not fit in an int32.
    /// * [`SliceError::LengthMismatch`] if `begin`, `end` and `strides` have different lengths.
    /// * [`SliceError::TooManyItems`] if there are more than 31 entries.
    /// * [`SliceError::MultipleEllipses`] if more than one bit of `ellipsis_mask` is set.
    /// * [`SliceError::TooManyIndices`] if there are more ranges and indices than axes.
    /// * [`SliceError::TooLarge`] if no array can have this shape.
    /// * For each range or index, from left to right: [`SliceError::ZeroStep`] if its stride is 0,
    ///   [`SliceError::IndexStride`] if it is an index with a negative stride, and [`SliceError::IndexOutOfBounds`] if
    ///   it is an index outside its axis.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::tensorflow::StridedSlice;
    ///
    /// // `x[1::2]`: the end is ignored.
    /// let op = StridedSlice { begin: vec![1], end: vec![0], strides: vec![2], end_mask: 1, ..StridedSlice::default() };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [2, 5]);
    /// let error = StridedSlice { strides: vec![0], ..op }.resolve(&[4, 5]).unwrap_err();
    /// assert_eq!(error.to_string(), "slice step cannot be zero (item 1 of the slice, `1::0`, on axis 0); use 1 to take every element");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Ok(self.checked()?.resolve(shape)?)
    }

    /// Performs all checks that do not depend on the shape, and returns the entries.
    fn checked(&self) -> Result<MaskedSlice<'_>, OperationError> {
        let masks = read_masks(self.masks(), bits)?;
        check_equal_lengths(&self.begin, &self.end, &self.strides)?;
        check_entry_count(self.begin.len())?;
        check_single_ellipsis(set_bits(masks.ellipsis))?;
        Ok(self.masked(
            masks,
            Rules {
                checks_index_stride: true,
                ..Rules::default()
            },
        ))
    }
}

bit_masked!(StridedSlice);

/// Returns an error if there are more entries than TensorFlow and LiteRT allow.
pub(crate) fn check_entry_count(items: usize) -> Result<(), SliceError> {
    let limit = MAX_ENTRIES;
    match items > limit {
        true => Err(SliceError::TooManyItems { items, limit }),
        false => Ok(()),
    }
}

/// Returns the bit pattern of a mask, or an error if the mask does not fit in an int32.
pub(crate) fn bits(mask: &'static str, value: i64) -> Result<u64, OperationError> {
    match i32::try_from(value) {
        Ok(value) => Ok(u64::from(value.cast_unsigned())),
        Err(_) => Err(OperationError::MaskOverflow { mask, value }),
    }
}
