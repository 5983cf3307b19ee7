//! TensorFlow's operation `StridedSlice`.
//!
//! Entry `i` is `begin[i]`, `end[i]`, `strides[i]` and bit `i` of each mask. TensorFlow applies these rules in order:
//!
//! 1. Each mask is an int32; a negative one is its bit pattern, so -1 sets every bit.
//! 2. `begin`, `end` and `strides` have the same length, at most 31.
//! 3. `ellipsis_mask` has at most one bit, including bits beyond the vectors. All other bits beyond them are ignored.
//! 4. If an entry has several of the bits, ellipsis wins over new axis, and new axis over shrink. Without an ellipsis,
//!    one is implied at the end. A range or an index needs an axis.
//! 5. For each range and each index, from left to right: the stride is not 0. An index has a stride above 0 and lies
//!    within its axis; its `end` and its bits in `begin_mask` and `end_mask` are ignored. A range behaves as in Python.
//!
//! Source: TensorFlow 2.21.0, whose kernel is `strided_slice_op.cc`. Its documentation differs in places, see [the
//! table](super). Two kernel limits are not reproduced: at most 8 axes, and masks that wrap beyond 32 axes.

#[cfg(feature = "serde")]
mod attribute;
mod grad;
mod update;

pub use grad::strided_slice_grad;
pub use update::tensor_strided_slice_update;

mod defects;
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
#[cfg(feature = "serde")]
use attribute::Attribute;

/// The maximum number of entries, one per usable bit of an int32 mask.
pub(crate) const MAX_ENTRIES: usize = 31;

/// TensorFlow's `StridedSlice`, the operation of `Tensor.__getitem__`.
///
/// Python equivalent: `tf.raw_ops.StridedSlice(input=x, begin=..., ...)`, or `x[...]` for a tensor `x`.
///
/// With the feature `serde`, a mask can also be read from the JSON of a graph, where it is `{"i": "48"}`.
///
/// # Example
///
/// ```
/// use slice_ops::tensorflow::StridedSlice;
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
    /// Bit `i` is set if entry `i` is `tf.newaxis`.
    pub new_axis_mask: i64,
    /// Bit `i` is set if entry `i` is the index `begin[i]`.
    pub shrink_axis_mask: i64,
}

/// Returns whether `name` is another attribute of a graph's StridedSlice node, or internal to TensorFlow.
#[cfg(feature = "serde")]
fn of_a_node(name: &str) -> bool {
    matches!(name, "T" | "Index") || name.starts_with('_')
}

#[cfg(feature = "serde")]
deserialize_fields!(StridedSlice as "TensorFlow's StridedSlice", besides of_a_node, {
    begin: Vec<i64>,
    end: Vec<i64>,
    strides: Vec<i64>,
    begin_mask: Attribute = Attribute(0),
    end_mask: Attribute = Attribute(0),
    ellipsis_mask: Attribute = Attribute(0),
    new_axis_mask: Attribute = Attribute(0),
    shrink_axis_mask: Attribute = Attribute(0),
});

impl StridedSlice {
    /// Applies the operation to an array of this shape.
    ///
    /// Python equivalent: `tf.raw_ops.StridedSlice(input=x, ...)` for `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In TensorFlow's order: [`OperationError::MaskOverflow`], [`SliceError::LengthMismatch`],
    /// [`SliceError::TooManyItems`], [`SliceError::MultipleEllipses`], [`SliceError::TooManyIndices`]; then, axis by
    /// axis, [`SliceError::ZeroStep`], [`SliceError::IndexStride`], [`SliceError::IndexOutOfBounds`].
    /// [`SliceError::TooLarge`] if no array can have this shape.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Ok(select(&self.checked()?, shape)?)
    }

    /// Returns the entries, after all checks that need no shape.
    pub(crate) fn checked(&self) -> Result<BitMasked<'_, Index>, OperationError> {
        let masks = read_masks(self.masks(), bits)?;
        equal_lengths(&self.begin, &self.end, &self.strides)?;
        if self.begin.len() > MAX_ENTRIES {
            let (items, limit) = (self.begin.len(), MAX_ENTRIES);
            return Err(SliceError::TooManyItems { items, limit }.into());
        }
        single_ellipsis(set_bits(masks.ellipsis))?;
        Ok(BitMasked::new(&self.begin, &self.end, &self.strides, masks))
    }
}

bit_masked!(StridedSlice);

/// Returns the bit pattern of a mask.
pub(crate) fn bits(mask: &'static str, value: i64) -> Result<u64, OperationError> {
    match i32::try_from(value) {
        Ok(value) => Ok(u64::from(value.cast_unsigned())),
        Err(_) => Err(OperationError::MaskOverflow { mask, value }),
    }
}

/// TensorFlow's rule for an index: its stride is above 0, and its bit in `begin_mask` is ignored.
#[derive(Debug)]
pub(crate) struct Index;

impl IndexRule for Index {
    fn number(entries: &BitMasked<'_, Self>, item: usize) -> i64 {
        entries.numbers(item).0
    }

    fn position(
        entries: &BitMasked<'_, Self>,
        item: usize,
        axis: usize,
        size: usize,
    ) -> Result<usize, SliceError> {
        match entries.stride(item) {
            0 => Err(SliceError::ZeroStep {
                item,
                axis,
                begin: entries.begin(item),
                end: entries.end(item),
            }),
            stride if stride < 0 => Err(SliceError::IndexStride {
                item,
                axis: Some(axis),
                stride,
            }),
            _ => index_at(item, axis, entries.index_number(item), size),
        }
    }
}
