//! The operators `STRIDED_SLICE`, `SLICE`, `REVERSE_V2` and `GATHER` of LiteRT (TensorFlow Lite).
//!
//! Entry `i` of `STRIDED_SLICE` consists of the 32-bit integers `begin[i]`, `end[i]` and `strides[i]`, and of bit `i`
//! of each mask. LiteRT applies these rules in order:
//!
//! 1. `begin` and `end` have the same length, which is at most 31, and `strides` is not shorter.
//! 2. Entry `i` is an ellipsis if bit `i` of `ellipsis_mask` is set, a new axis if bit `i` of `new_axis_mask` is set,
//!    and an index if bit `i` of `shrink_axis_mask` is set. If several of these bits are set, the mask named first
//!    takes precedence. If none is set, the entry is a range. If there is no ellipsis, one is implied at the end.
//! 3. From the last axis to the first: no range or index has a stride of 0, and no range has a stride of `i32::MIN`.
//! 4. A range has the same meaning as in Python. An index is `begin[i]`, or 0 if its bit in `begin_mask` is set.
//! 5. If `offset` is set, `end[i]` is not a position, but a length: the distance from the `begin` to the end.
//!
//! LiteRT does not detect the following mistakes, and accesses memory outside its tensors, returns the wrong elements,
//! or crashes. In this crate, all of these mistakes are errors:
//!
//! * an index that is out of range or has a negative stride;
//! * more ranges and indices than axes;
//! * an ellipsis that covers no axis but is followed by other entries;
//! * a second ellipsis;
//! * `strides` that is shorter than `begin`;
//! * a bit of `new_axis_mask` beyond the last entry;
//! * if `offset` is set, a range that has more or fewer positions within its axis than its length implies, an axis
//!   without an entry, or a new axis.
//!
//! Source: LiteRT 2.3.0, run in its interpreter; the kernel is in `strided_slice.cc`.

mod defects;
pub(crate) mod error;
mod operation;
mod program;
mod slice_and_reverse;

pub use program::{Op, Program};
pub use slice_and_reverse::{ReverseV2, Slice};

use alloc::vec::Vec;

use slice_core::{ItemRole, Selection, SliceError};

use crate::axes::{check_axes, first_beyond_int32};
use crate::error::OperationError;
use crate::litert::error::KernelError;
use crate::masked_slice::{
    MaskedSlice, Rules, bit_masked, check_equal_lengths, check_single_ellipsis, read_masks,
    set_bits,
};
use crate::tensorflow::{MAX_ENTRIES, bits, check_entry_count};

/// LiteRT's `STRIDED_SLICE`: TensorFlow's `StridedSlice` with an additional flag, `offset`, which turns each end into a
/// distance from the `begin` of the same entry.
///
/// Python equivalent: an operator of a `.tflite` file, run by `ai_edge_litert.interpreter.Interpreter`.
///
/// # Example
///
/// ```
/// use slice_systems::litert::StridedSlice;
/// use slice_core::s;
///
/// let op = StridedSlice { begin: vec![1], end: vec![3], strides: vec![1], ..StridedSlice::default() };
/// assert_eq!(op.resolve(&[6])?, s![1:3].resolve(&[6])?);
/// // With `offset`, this selects three elements, starting at position 1.
/// let op = StridedSlice { offset: true, ..op };
/// assert_eq!(op.resolve(&[6])?, s![1:4].resolve(&[6])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StridedSlice {
    /// The first position of each range, and the position of each index.
    pub begin: Vec<i64>,
    /// One past the last position of each range or, if `offset` is set, the distance of that position from the `begin`.
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
    /// Whether each end is a distance from the `begin` of the same entry.
    #[cfg_attr(feature = "serde", serde(default))]
    pub offset: bool,
}

/// The lowest 32-bit integer.
const INT32_MIN: i64 = i32::MIN as i64;

impl StridedSlice {
    /// Applies the operator to an array with the shape `shape`.
    ///
    /// Python equivalent: `interpreter.invoke()` for an input with the shape `shape`.
    ///
    /// # Errors
    ///
    /// In LiteRT's order:
    ///
    /// * [`OperationError::MaskOverflow`] if a mask does not fit in 32 bits.
    /// * [`OperationError::System`] if a `begin`, an `end` or a stride does not fit in 32 bits.
    /// * [`SliceError::LengthMismatch`] if `begin` and `end` have different lengths.
    /// * [`SliceError::TooManyItems`] if there are more than 31 entries.
    /// * Unchecked by LiteRT: [`SliceError::LengthMismatch`] if `strides` is too short,
    ///   [`SliceError::MultipleEllipses`] if there is a second ellipsis, [`OperationError::System`] if there are more than
    ///   31 axes, including new axes, or if a bit of `new_axis_mask` is set beyond the last entry,
    ///   [`SliceError::TooManyIndices`] if there are more ranges and indices than axes, and [`OperationError::System`] if an
    ///   ellipsis covers no axis but is followed by other entries, or if `offset` is set, and there is a new axis or an axis
    ///   without an entry.
    /// * [`SliceError::TooLarge`] if no array can have this shape, or if an axis has more than `i32::MAX` elements.
    /// * From the last axis to the first: [`SliceError::ZeroStep`] if the stride of a range or an index is 0, and
    ///   [`OperationError::System`] if the stride of a range is `i32::MIN`.
    /// * Unchecked by LiteRT, for each range or index from left to right: [`SliceError::IndexStride`] if an index has a
    ///   negative stride, [`SliceError::IndexOutOfBounds`] if an index is outside its axis, and
    ///   [`SliceError::InvalidRange`] if `offset` is set, and a range has more or fewer positions within its axis than
    ///   its length implies.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::litert::StridedSlice;
    ///
    /// // `x[1::2]`: the end is ignored.
    /// let op = StridedSlice { begin: vec![1], end: vec![0], strides: vec![2], end_mask: 1, ..StridedSlice::default() };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [2, 5]);
    /// let error = StridedSlice { strides: vec![0], ..op }.resolve(&[4, 5]).unwrap_err();
    /// assert_eq!(error.to_string(), "slice step cannot be zero (item 1 of the slice, `1::0`, on axis 0); use 1 to take every element");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let entries = self.checked()?;
        self.check_roles(&entries, shape.len())?;
        check_axes(shape)?;
        self.check_strides(&entries, shape.len())?;
        Ok(entries.resolve(shape)?)
    }

    /// Performs all checks that do not depend on the shape, and returns the entries.
    fn checked(&self) -> Result<MaskedSlice<'_>, OperationError> {
        let masks = read_masks(self.masks(), bits)?;
        for (operand, numbers) in [
            ("begin", &self.begin),
            ("end", &self.end),
            ("strides", &self.strides),
        ] {
            check_int32(operand, numbers)?;
        }
        let entries = self.begin.len();
        if entries != self.end.len() {
            check_equal_lengths(&self.begin, &self.end, &self.strides)?;
        }
        check_entry_count(entries)?;
        if self.strides.len() < entries {
            check_equal_lengths(&self.begin, &self.end, &self.strides)?;
        }
        check_single_ellipsis(set_bits(masks.ellipsis).take_while(|&bit| bit < entries))?;
        Ok(self.masked(
            masks,
            Rules {
                checks_index_stride: true,
                masks_index: true,
                offset: self.offset,
                ..Rules::default()
            },
        ))
    }

    /// Checks the combination of entries for mistakes that LiteRT does not detect.
    fn check_roles(&self, entries: &MaskedSlice<'_>, rank: usize) -> Result<(), OperationError> {
        let count = entries.len();
        let roles = || entries.roles();
        let new_axes = roles().filter(|&role| role == ItemRole::NewAxis).count();
        let axes = rank.saturating_add(new_axes);
        if axes > MAX_ENTRIES {
            let (rank, limit) = (axes, MAX_ENTRIES);
            return Err(KernelError::Rank { rank, limit }.into());
        }
        let bits_within = |mask: i64, from: usize| {
            set_bits(u64::from((mask as i32).cast_unsigned()))
                .filter(move |&bit| bit >= from && bit < axes)
        };
        check_single_ellipsis(bits_within(self.ellipsis_mask, 0))?;
        let ellipsis = roles().position(|role| role == ItemRole::Ellipsis);
        if ellipsis.is_none()
            && let Some(bit) = bits_within(self.new_axis_mask, count).next()
        {
            let entries = count;
            return Err(KernelError::NewAxisBeyond { bit, entries }.into());
        }
        entries.item_axes(rank).map(drop)?;
        let consuming = roles().filter(|role| role.consumes()).count();
        if let Some(item) = ellipsis
            && consuming == rank
            && item + 1 < count
        {
            return Err(KernelError::EmptyEllipsis { item }.into());
        }
        if self.offset && (consuming < rank || new_axes > 0) {
            let entries = consuming;
            return Err(KernelError::OffsetElsewhere { entries, axes }.into());
        }
        Ok(())
    }

    /// Checks the strides. Returns the error of the last axis with an invalid stride, because LiteRT checks the axes
    /// from the last to the first.
    fn check_strides(&self, entries: &MaskedSlice<'_>, rank: usize) -> Result<(), OperationError> {
        let mut result = Ok(());
        for (item, role, axes) in entries.item_axes(rank)? {
            if !role.consumes() {
                continue;
            }
            let axis = axes.start;
            match entries.stride(item) {
                0 => {
                    let (begin, end) = (entries.begin(item), entries.end(item));
                    result = Err(SliceError::ZeroStep {
                        item,
                        axis,
                        begin,
                        end,
                    }
                    .into());
                }
                INT32_MIN if role == ItemRole::Range => {
                    result = Err(KernelError::LowestStride { item, axis }.into());
                }
                _ => {}
            }
        }
        result
    }
}

bit_masked!(StridedSlice, offset: false);

/// Checks that the numbers in an operand fit in 32 bits.
fn check_int32(operand: &'static str, numbers: &[i64]) -> Result<(), KernelError> {
    match first_beyond_int32(numbers) {
        Some((item, value)) => Err(KernelError::Int32 {
            operand,
            item,
            value,
        }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec;

    use crate::litert::StridedSlice;
    use crate::{Explain, Operation};

    /// An axis may be longer than LiteRT allows. Such an axis is an error, which the explanation states too.
    #[test]
    fn offsets_beyond_64_bits_are_errors() {
        let edges = [i64::MIN, -2, -1, 0, 1, 2, i64::from(i32::MAX), i64::MAX];
        let sizes = [0, 1, 5, i32::MAX as usize, i64::MAX as usize, usize::MAX];
        let mut cases = vec![];
        for begin in edges {
            for end in edges {
                cases.extend(edges.map(|stride| (begin, end, stride)));
            }
        }
        for (begin, end, stride) in cases {
            for mask in 0..4 {
                let op = StridedSlice {
                    begin: vec![begin],
                    end: vec![end],
                    strides: vec![stride],
                    begin_mask: mask & 1,
                    end_mask: mask >> 1,
                    offset: true,
                    ..StridedSlice::default()
                };
                let _ = op.to_spec();
                for size in sizes {
                    let explanation = op.explain(&[size]);
                    assert!(!explanation.to_string().is_empty());
                    if size > i32::MAX as usize {
                        assert!(op.resolve(&[size]).is_err(), "{op:?} {size}");
                        assert!(explanation.output_shape.is_err(), "{op:?} {size}");
                    }
                }
            }
        }
    }
}
