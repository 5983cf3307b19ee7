//! Core ML's `slice_by_index`, and short programs for the slices that `slice_by_index` cannot express. The operations
//! belong to MIL, coremltools' intermediate language.
//!
//! Each axis has one entry. Entry `i` consists of the 32-bit integers `begin[i]`, `end[i]` and `stride[i]`, and of
//! element `i` of each mask. A new axis needs [`Op::ExpandDims`].
//!
//! Two parts of coremltools implement the operation, in slightly different ways: type inference computes the shape of
//! the result, and constant folding computes its elements. Type inference comes first, and applies these rules to each
//! axis:
//!
//! 1. An axis whose squeeze mask is set is dropped. Its `begin` is not checked.
//! 2. If both bounds are masked, the range covers the whole axis.
//! 3. If both bounds are nonnegative and the stride is positive, or if all three are negative, a length is computed
//!    from these numbers alone, without the length of the axis. Crossed bounds (a `begin` past the `end`) are an error.
//!    A length of 0 or 1 is final, and a larger length is discarded.
//! 4. The length is 1 if the end is masked and the `begin` is either 0 with a negative stride or -1 with a positive
//!    stride. It is also 1 on an axis of length 1.
//! 5. Otherwise, a negative bound counts from the end, and becomes 0 if it is still negative. The result *replaces* the
//!    written bound. Then the positions between the bounds are counted.
//!
//! Constant folding then interprets the rewritten bounds as Python does. If type inference and constant folding give
//! different lengths, the operation has no valid result, and this crate returns an error. The lengths may differ on
//! axes of length 1, for bounds outside the axis, and for indices out of range. For an index, constant folding selects
//! the first element at or after `begin`, so an index before the first element selects that element. In this crate,
//! such an index is an error.
//!
//! Source: the type inference and the constant folding of coremltools 9.0. No models were run, because Core ML needs
//! macOS.

mod defects;
pub(crate) mod error;
mod infer;
mod op;
mod operation;

pub use op::{Op, Program, SliceBySize};

use alloc::vec::Vec;

use slice_core::resolve::{element_count, index_at, range_at};
use slice_core::{ResolvedStep, Selection};

use crate::axes::{first_beyond_int32, select_each_axis};
use crate::coreml::error::MilError;
use crate::error::OperationError;
use infer::Inferred;

/// Core ML's `slice_by_index`.
///
/// Python equivalent: `mb.slice_by_index(x=x, begin=..., end=..., ...)` of coremltools.
///
/// # Example
///
/// ```
/// use slice_systems::coreml::SliceByIndex;
/// use slice_core::s;
///
/// let op = SliceByIndex {
///     begin: vec![1, 0],
///     end: vec![0, 4],
///     stride: vec![1, 2],
///     end_mask: vec![true, false],
///     ..SliceByIndex::default()
/// };
/// assert_eq!(op.resolve(&[4, 5])?, s![1:, 0:4:2].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SliceByIndex {
    /// The first position on each axis.
    pub begin: Vec<i64>,
    /// One past the last position on each axis.
    pub end: Vec<i64>,
    /// The distance between neighboring positions on each axis. If empty, it is 1 on every axis.
    #[cfg_attr(feature = "serde", serde(default))]
    pub stride: Vec<i64>,
    /// For each axis, whether its `begin` is ignored. If empty, no `begin` is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub begin_mask: Vec<bool>,
    /// For each axis, whether its end is ignored. If empty, no end is ignored.
    #[cfg_attr(feature = "serde", serde(default))]
    pub end_mask: Vec<bool>,
    /// For each axis, whether it is dropped, with its `begin` as the index. If empty, no axis is dropped.
    #[cfg_attr(feature = "serde", serde(default))]
    pub squeeze_mask: Vec<bool>,
}

/// The entry of one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisEntry {
    begin: i64,
    end: i64,
    stride: i64,
    begin_mask: bool,
    end_mask: bool,
    squeeze: bool,
}

impl SliceByIndex {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// In coremltools' order:
    ///
    /// * [`OperationError::System`] if a `begin`, an `end` or a stride does not fit in 32 bits, if the input has no axes, or if
    ///   a parameter does not have one entry for each axis.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape.
    /// * [`OperationError::System`] if the `begin` of a range is past its end in the direction of the stride, and both
    ///   count from the same side. The error contains the first such axis.
    /// * For each axis in order: `SliceError::IndexOutOfBounds` if an index is outside the axis,
    ///   `SliceError::ZeroStep` if the stride of a range is 0, and [`OperationError::System`] if type inference and
    ///   constant folding give different lengths.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::coreml::SliceByIndex;
    ///
    /// // `x[3]`: an index drops its axis.
    /// let op = SliceByIndex {
    ///     begin: vec![3],
    ///     end: vec![0],
    ///     squeeze_mask: vec![true],
    ///     ..SliceByIndex::default()
    /// };
    /// assert!(op.resolve(&[4])?.output_shape().is_empty());
    /// let error = op.resolve(&[2]).unwrap_err();
    /// assert!(error.to_string().starts_with("index 3 is out of bounds for axis 0 with size 2"));
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check(shape.len())?;
        element_count(shape)?;
        for (axis, &size) in shape.iter().enumerate() {
            self.entry(axis).infer(axis, size)?;
        }
        select_each_axis(shape, |axis, size| {
            let entry = self.entry(axis);
            if entry.squeeze {
                let position = index_at(axis, axis, entry.index(), size)?;
                return Ok(ResolvedStep::Drop(position));
            }
            let Inferred { len, begin, end } = entry.infer(axis, size)?;
            let begin = (!entry.begin_mask).then_some(begin);
            let end = (!entry.end_mask).then_some(end);
            let range = range_at(axis, axis, begin, end, entry.stride, size)?;
            check_agreement(axis, len, range.len())?;
            Ok(ResolvedStep::Keep(range))
        })
    }

    /// Performs the checks that do not depend on the lengths of the axes.
    fn check(&self, rank: usize) -> Result<(), OperationError> {
        let numbers = [
            ("begin", &self.begin),
            ("end", &self.end),
            ("stride", &self.stride),
        ];
        for (parameter, numbers) in numbers {
            check_int32(parameter, numbers)?;
        }
        if rank == 0 {
            return Err(MilError::Scalar.into());
        }
        let masks = [
            ("begin_mask", &self.begin_mask),
            ("end_mask", &self.end_mask),
            ("squeeze_mask", &self.squeeze_mask),
        ];
        check_length("begin", self.begin.len(), rank)?;
        check_length("end", self.end.len(), rank)?;
        if !self.stride.is_empty() {
            check_length("stride", self.stride.len(), rank)?;
        }
        for (parameter, mask) in masks {
            if !mask.is_empty() {
                check_length(parameter, mask.len(), rank)?;
            }
        }
        Ok(())
    }

    /// Returns the entry of an axis.
    fn entry(&self, axis: usize) -> AxisEntry {
        let is_set = |mask: &[bool]| mask.get(axis).copied().unwrap_or(false);
        AxisEntry {
            begin: self.begin[axis],
            end: self.end[axis],
            stride: self.stride.get(axis).copied().unwrap_or(1),
            begin_mask: is_set(&self.begin_mask),
            end_mask: is_set(&self.end_mask),
            squeeze: is_set(&self.squeeze_mask),
        }
    }
}

/// Checks that the numbers in a parameter fit in 32 bits.
fn check_int32(parameter: &'static str, numbers: &[i64]) -> Result<(), MilError> {
    match first_beyond_int32(numbers) {
        Some((item, value)) => Err(MilError::Int32 {
            parameter,
            item,
            value,
        }),
        None => Ok(()),
    }
}

fn check_length(parameter: &'static str, entries: usize, rank: usize) -> Result<(), MilError> {
    match entries == rank {
        true => Ok(()),
        false => Err(MilError::Length {
            parameter,
            entries,
            rank,
        }),
    }
}

/// Checks that type inference and constant folding give an axis the same length.
fn check_agreement(axis: usize, inferred: i64, folded: usize) -> Result<(), MilError> {
    match i64::try_from(folded) == Ok(inferred) {
        true => Ok(()),
        false => Err(MilError::Disagreement {
            axis,
            inferred,
            folded,
        }),
    }
}
