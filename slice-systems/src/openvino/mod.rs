//! OpenVINO's operation `StridedSlice` of opset 1.
//!
//! Entry `i` consists of `begin[i]`, `end[i]`, `strides[i]` (1 if `strides` is omitted), and element `i` of each mask.
//! OpenVINO applies these rules in order:
//!
//! 1. Each mask is a list whose elements are 0 or 1.
//! 2. `begin`, `end` and, if given, `strides` have the same length.
//! 3. At most one element of `ellipsis_mask` is 1, including elements beyond the last entry. Apart from this check,
//!    elements beyond the last entry are ignored. A mask with fewer elements than entries is extended with zeros.
//! 4. Entry `i` is an ellipsis if `ellipsis_mask[i]` is 1, a new axis if `new_axis_mask[i]` is 1, and an index if
//!    `shrink_axis_mask[i]` is 1. If several of these elements are 1, the mask named first takes precedence. If none is
//!    1, the entry is a range. If there is no ellipsis, one is implied at the end. Each range and each index consumes
//!    one axis, so there must not be more ranges and indices than axes.
//! 5. The stride of a range must not be 0. Then, from left to right: a range has the same meaning as in Python, except
//!    that a `begin` before the first element is moved to the first element if the stride is negative. An index must
//!    lie within its axis. Its `end`, its stride and its elements in `begin_mask` and `end_mask` are ignored.
//!
//! Source: OpenVINO 2026.4.1. It has three implementations, which give different results for some slices: the reference
//! implementation (`evaluate`), the CPU plugin with constant `begin`, `end` and `strides`, and the CPU plugin with
//! vectors that are known only at run time. This module follows their common behavior and, where they differ,
//! OpenVINO's shape inference. As OpenVINO's documentation states, masks may have different lengths, although version
//! 2026.4 rejects such masks. The [front page of this crate's documentation](super) lists the differences from other
//! systems.

mod defects;
mod operation;

use alloc::vec::Vec;

use slice_core::{ItemRole, Selection};

use crate::error::OperationError;
use crate::masked_slice::{
    MaskedSlice, Rules, SliceMasks, check_equal_lengths, check_single_ellipsis,
};
use crate::slice_and_gather::SliceOrGather;

/// An operation of a [`Program`].
pub type Op = SliceOrGather<StridedSlice>;

/// A sequence of OpenVINO operations.
pub type Program = crate::program::Program<Op>;

/// OpenVINO's `StridedSlice-1`, whose masks are lists of zeros and ones.
///
/// Python equivalent: `openvino.opset1.strided_slice(x, begin, end, strides, begin_mask, ...)`.
///
/// # Example
///
/// ```
/// use slice_systems::openvino::StridedSlice;
/// use slice_core::s;
///
/// let op = StridedSlice {
///     begin: vec![1, 0, 0],
///     end: vec![0, 0, 0],
///     strides: Some(vec![1, 1, -1]),
///     begin_mask: vec![0, 1, 1],
///     end_mask: vec![1, 1, 1],
///     ..StridedSlice::default()
/// };
/// assert_eq!(op.resolve(&[2, 3, 4])?, s![1:, :, ::-1].resolve(&[2, 3, 4])?);
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
    /// The distance between neighboring positions of each range; `None` means 1 for every range.
    pub strides: Option<Vec<i64>>,
    /// If element `i` is 1, `begin[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub begin_mask: Vec<i64>,
    /// If element `i` is 1, `end[i]` is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_mask: Vec<i64>,
    /// If element `i` is 1, entry `i` is a new axis.
    #[cfg_attr(feature = "serde", serde(default))]
    pub new_axis_mask: Vec<i64>,
    /// If element `i` is 1, entry `i` is the index `begin[i]`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub shrink_axis_mask: Vec<i64>,
    /// If element `i` is 1, entry `i` is an ellipsis.
    #[cfg_attr(feature = "serde", serde(default))]
    pub ellipsis_mask: Vec<i64>,
}

impl StridedSlice {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// Python equivalent: `openvino.opset1.strided_slice(x, ...)`, where `x.shape == shape`.
    ///
    /// # Errors
    ///
    /// In OpenVINO's order:
    ///
    /// * [`OperationError::MaskElement`] if an element of a mask is neither 0 nor 1.
    /// * [`SliceError::LengthMismatch`] if `begin`, `end` and `strides` have different lengths.
    /// * [`SliceError::MultipleEllipses`] if more than one element of `ellipsis_mask` is 1.
    /// * [`SliceError::TooManyIndices`] if there is no ellipsis and there are more ranges and indices than axes.
    /// * [`OperationError::ZeroInStrides`] if the stride of a range is 0.
    /// * [`SliceError::TooManyIndices`] if there is an ellipsis and there are more ranges and indices than axes.
    /// * [`SliceError::TooLarge`] if no array can have this shape.
    /// * [`SliceError::IndexOutOfBounds`] for the leftmost index outside its axis.
    ///
    /// [`SliceError::LengthMismatch`]: slice_core::SliceError::LengthMismatch
    /// [`SliceError::MultipleEllipses`]: slice_core::SliceError::MultipleEllipses
    /// [`SliceError::TooManyIndices`]: slice_core::SliceError::TooManyIndices
    /// [`SliceError::IndexOutOfBounds`]: slice_core::SliceError::IndexOutOfBounds
    /// [`SliceError::TooLarge`]: slice_core::SliceError::TooLarge
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::openvino::StridedSlice;
    ///
    /// // `x[1::2]`: the end is ignored.
    /// let op = StridedSlice {
    ///     begin: vec![1],
    ///     end: vec![0],
    ///     strides: Some(vec![2]),
    ///     end_mask: vec![1],
    ///     ..StridedSlice::default()
    /// };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [2, 5]);
    /// let error = StridedSlice { strides: Some(vec![0]), ..op }.resolve(&[4, 5]).unwrap_err();
    /// assert_eq!(error.to_string(), "strides must be non-zero, but item 1 has stride 0; use 1 to take every element");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let entries = self.checked()?;
        // If there is no ellipsis, shape inference checks the number of axes before the strides.
        if !entries.roles().any(|role| role == ItemRole::Ellipsis) {
            entries.item_axes(shape.len()).map(drop)?;
        }
        let mut roles = entries.roles().enumerate();
        if let Some((item, _)) =
            roles.find(|&(item, role)| role == ItemRole::Range && entries.stride(item) == 0)
        {
            return Err(OperationError::ZeroInStrides { item });
        }
        Ok(entries.resolve(shape)?)
    }

    /// Performs all checks that do not depend on the shape, and returns the entries.
    fn checked(&self) -> Result<MaskedSlice<'_>, OperationError> {
        for (mask, elements) in [
            ("begin_mask", &self.begin_mask),
            ("end_mask", &self.end_mask),
            ("new_axis_mask", &self.new_axis_mask),
            ("shrink_axis_mask", &self.shrink_axis_mask),
            ("ellipsis_mask", &self.ellipsis_mask),
        ] {
            if let Some(item) = elements
                .iter()
                .position(|&element| !matches!(element, 0 | 1))
            {
                let value = elements[item];
                return Err(OperationError::MaskElement { mask, item, value });
            }
        }
        let strides = self.strides.as_ref().unwrap_or(&self.begin);
        check_equal_lengths(&self.begin, &self.end, strides)?;
        let ellipses = self.ellipsis_mask.iter().enumerate();
        check_single_ellipsis(
            ellipses
                .filter(|&(_, &mark)| mark == 1)
                .map(|(item, _)| item),
        )?;
        let masks = SliceMasks::Lists([
            &self.begin_mask,
            &self.end_mask,
            &self.ellipsis_mask,
            &self.new_axis_mask,
            &self.shrink_axis_mask,
        ]);
        Ok(MaskedSlice {
            begin: &self.begin,
            end: &self.end,
            strides: self.strides.as_deref(),
            masks,
            rules: Rules {
                starts_at_first: true,
                ..Rules::default()
            },
        })
    }
}
