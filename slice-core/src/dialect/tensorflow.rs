//! TensorFlow's operation `StridedSlice`.
//!
//! Entry `i` is `begin[i]`, `end[i]`, `strides[i]` and bit `i` of each mask. In this order:
//!
//! 1. Each mask is an int32; a negative one is its bit pattern, so -1 sets every bit.
//! 2. `begin`, `end` and `strides` have one length, at most 31.
//! 3. `ellipsis_mask` has at most one bit, counting those behind the vectors. All other bits there are ignored.
//! 4. Of the bits of one entry, ellipsis wins over new axis, and new axis over shrink. Without an ellipsis there is one
//!    at the end. A range or an index needs an axis.
//! 5. For each axis that a range or an index meets, from left to right: the stride is not 0. An index has a stride above
//!    0 and lies in the axis; its `end` and its bits in `begin_mask` and `end_mask` do not count. A range is Python's.
//!
//! Source: TensorFlow 2.21.0, whose kernel is `strided_slice_op.cc`; its documentation differs in places, see
//! [the table](super). Not taken over from the kernel: its limit of 8 axes, and that its masks wrap beyond 32 axes.

mod grad;
mod update;

pub use grad::strided_slice_grad;
pub use update::tensor_strided_slice_update;

use alloc::vec::Vec;

#[cfg(feature = "serde")]
use super::attribute::integer;
use super::entries::{Entries, equal_lengths, select, set_bits, single_ellipsis};
use crate::item::{Marks, Masks};
use crate::resolve::index_at;
use crate::{Selection, SliceError};

/// The most entries that a mask of an int32 has bits for.
pub(crate) const MAX_ENTRIES: usize = 31;

/// TensorFlow's `StridedSlice`: what `Tensor.__getitem__` turns `x[...]` into.
///
/// Python equivalent: `tf.raw_ops.StridedSlice(input=x, begin=..., ...)`, or `x[...]` for a tensor `x`.
///
/// With the feature `serde` a mask may also be read from a graph's JSON, where it is `{"i": "48"}`.
///
/// # Example
///
/// ```
/// use slice_core::dialect::tensorflow::StridedSlice;
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
/// # Ok::<(), slice_core::SliceError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct StridedSlice {
    /// The first element of each range, and the index of each index.
    pub begin: Vec<i64>,
    /// One past the last element of each range.
    pub end: Vec<i64>,
    /// The distance between the elements of each range.
    pub strides: Vec<i64>,
    /// Bit `i`: `begin[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "integer"))]
    pub begin_mask: i64,
    /// Bit `i`: `end[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "integer"))]
    pub end_mask: i64,
    /// Bit `i`: entry `i` is `...`.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "integer"))]
    pub ellipsis_mask: i64,
    /// Bit `i`: entry `i` is `tf.newaxis`.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "integer"))]
    pub new_axis_mask: i64,
    /// Bit `i`: entry `i` is the index `begin[i]`.
    #[cfg_attr(feature = "serde", serde(default, deserialize_with = "integer"))]
    pub shrink_axis_mask: i64,
}

impl StridedSlice {
    /// Applies the operation to an array of this shape.
    ///
    /// Python equivalent: `tf.raw_ops.StridedSlice(input=x, ...)` for `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In TensorFlow's order: [`SliceError::MaskOverflow`], [`SliceError::LengthMismatch`],
    /// [`SliceError::TooManyItems`], [`SliceError::MultipleEllipses`], [`SliceError::TooManyIndices`], then axis by axis
    /// [`SliceError::ZeroStride`], [`SliceError::IndexStride`], [`SliceError::IndexOutOfBounds`].
    /// [`SliceError::TooLarge`] if such an array cannot exist.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, SliceError> {
        select(&self.checked()?, shape)
    }

    /// The entries, once everything has been checked that needs no shape.
    pub(crate) fn checked(&self) -> Result<Checked<'_>, SliceError> {
        let masks = Masks {
            begin: bits("begin_mask", self.begin_mask)?,
            end: bits("end_mask", self.end_mask)?,
            ellipsis: bits("ellipsis_mask", self.ellipsis_mask)?,
            new_axis: bits("new_axis_mask", self.new_axis_mask)?,
            shrink_axis: bits("shrink_axis_mask", self.shrink_axis_mask)?,
        };
        equal_lengths(&self.begin, &self.end, &self.strides)?;
        if self.begin.len() > MAX_ENTRIES {
            return Err(SliceError::TooManyItems {
                items: self.begin.len(),
                limit: MAX_ENTRIES,
            });
        }
        single_ellipsis(set_bits(masks.ellipsis))?;
        Ok(Checked { op: self, masks })
    }
}

/// The bit pattern of a mask.
fn bits(mask: &'static str, value: i64) -> Result<u64, SliceError> {
    match i32::try_from(value) {
        Ok(value) => Ok(u64::from(value.cast_unsigned())),
        Err(_) => Err(SliceError::MaskOverflow { mask, value }),
    }
}

/// An operation whose masks and vectors are sound.
#[derive(Debug)]
pub(crate) struct Checked<'a> {
    op: &'a StridedSlice,
    masks: Masks,
}

impl Entries for Checked<'_> {
    fn len(&self) -> usize {
        self.op.begin.len()
    }

    fn marks(&self, item: usize) -> Marks {
        self.masks.marks(item)
    }

    fn numbers(&self, item: usize) -> (i64, i64, i64) {
        (
            self.op.begin[item],
            self.op.end[item],
            self.op.strides[item],
        )
    }

    fn index(&self, item: usize, axis: usize, size: usize) -> Result<usize, SliceError> {
        match self.stride(item) {
            0 => Err(SliceError::ZeroStride {
                item,
                axis,
                begin: self.begin(item),
                end: self.end(item),
            }),
            stride if stride < 0 => Err(SliceError::IndexStride {
                item,
                axis: Some(axis),
                stride,
            }),
            _ => index_at(item, axis, self.index_number(item), size),
        }
    }
}
