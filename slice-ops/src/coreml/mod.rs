//! Core ML's `slice_by_index`, in coremltools' MIL, and short programs for the slices that it cannot express.
//!
//! Each axis has one entry. Entry `i` consists of the 32-bit integers `begin[i]`, `end[i]` and `stride[i]`, and of
//! element `i` of each mask. A new axis needs [`ExpandDims`].
//!
//! Two parts of coremltools implement the operation, and they differ. Type inference comes first, axis by axis:
//!
//! 1. An axis whose squeeze mask is set is dropped; its begin is ignored.
//! 2. If both bounds are masked, the axis is whole.
//! 3. If both bounds are nonnegative and the stride is positive, or all three are negative, the length is computed
//!    without the length of the axis. Crossed bounds are an error, and a length of 0 or 1 is final.
//! 4. The length is 1 if the end is masked and the begin is 0 with a negative stride, or -1 with a positive one. It is
//!    also 1 on an axis of length 1.
//! 5. Otherwise, a negative bound counts from the end and becomes at least 0. This number *replaces* the written bound.
//!    Then the positions are counted.
//!
//! Folding of constants then reads the rewritten bounds as Python does. An index selects the first element from `begin`
//! on. If type inference and folding give different lengths, the operation has no answer, and this crate returns an
//! error. The two differ on axes of length 1, for bounds outside the axis, and for indices out of range. In
//! coremltools, an index before the axis selects the first element; it is an error here.
//!
//! Source: coremltools 9.0, type inference and folding. Predictions were not run, because they need macOS.

mod defects;
pub(crate) mod error;
mod infer;
mod op;
mod operation;
mod translate;

pub use error::MilError;
pub use op::{ExpandDims, Gather, Op, Program, Reverse, SliceBySize};

use alloc::vec::Vec;

#[cfg(feature = "serde")]
use slice_core::deserialize_fields;
use slice_core::resolve::{element_count, index_at, range_at};
use slice_core::{ResolvedStep, Selection, SliceError};

use crate::Dims;
use crate::error::OperationError;
use infer::Inferred;

/// Core ML's `slice_by_index`.
///
/// Python equivalent: `mb.slice_by_index(x=x, begin=..., end=..., ...)` of coremltools.
///
/// # Example
///
/// ```
/// use slice_ops::coreml::SliceByIndex;
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
/// # Ok::<(), slice_ops::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct SliceByIndex {
    /// The first position on each axis.
    pub begin: Vec<i64>,
    /// One past the last position on each axis.
    pub end: Vec<i64>,
    /// The distance between the positions on each axis; 1 if empty.
    pub stride: Vec<i64>,
    /// Whether the begin is ignored, for each axis; `false` if empty.
    pub begin_mask: Vec<bool>,
    /// Whether the end is ignored, for each axis; `false` if empty.
    pub end_mask: Vec<bool>,
    /// Whether the axis is dropped at its begin, for each axis; `false` if empty.
    pub squeeze_mask: Vec<bool>,
}

#[cfg(feature = "serde")]
deserialize_fields!(SliceByIndex as "Core ML's slice_by_index", {
    begin: Vec<i64>,
    end: Vec<i64>,
    stride: Vec<i64> = Vec::new(),
    begin_mask: Vec<bool> = Vec::new(),
    end_mask: Vec<bool> = Vec::new(),
    squeeze_mask: Vec<bool> = Vec::new(),
});

/// The entry of one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    begin: i64,
    end: i64,
    stride: i64,
    begin_mask: bool,
    end_mask: bool,
    squeeze: bool,
}

impl SliceByIndex {
    /// Applies the operation to an array of this shape.
    ///
    /// # Errors
    ///
    /// In coremltools' order: [`MilError::Int32`], [`MilError::Scalar`], [`MilError::Length`]; axis by axis
    /// [`MilError::CrossedBounds`]; then [`SliceError::ZeroStep`], [`SliceError::IndexOutOfBounds`],
    /// [`MilError::Disagreement`]. [`SliceError::TooLarge`] if no array can have this shape.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check(shape.len())?;
        element_count(shape)?;
        for (axis, &size) in shape.iter().enumerate() {
            self.entry(axis).infer(axis, size)?;
        }
        let mut steps = Dims::new();
        for (axis, &size) in shape.iter().enumerate() {
            let entry = self.entry(axis);
            if entry.squeeze {
                let index = entry.index();
                steps.push(ResolvedStep::Drop(index_at(axis, axis, index, size)?));
                continue;
            }
            let Inferred { len, begin, end } = entry.infer(axis, size)?;
            let (begin, end) = (
                (!entry.begin_mask).then_some(begin),
                (!entry.end_mask).then_some(end),
            );
            let found = range_at(axis, axis, begin, end, entry.stride, size)?;
            if i64::try_from(found.len()) != Ok(len) {
                let (inferred, folded) = (len, found.len());
                return Err(MilError::Disagreement {
                    axis,
                    inferred,
                    folded,
                }
                .into());
            }
            steps.push(ResolvedStep::Keep(found));
        }
        Ok(Selection::from_steps(shape, steps)?)
    }

    /// Performs the checks that do not depend on the lengths of axes.
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
    fn entry(&self, axis: usize) -> Entry {
        let marked = |mask: &[bool]| mask.get(axis).copied().unwrap_or(false);
        Entry {
            begin: self.begin[axis],
            end: self.end[axis],
            stride: self.stride.get(axis).copied().unwrap_or(1),
            begin_mask: marked(&self.begin_mask),
            end_mask: marked(&self.end_mask),
            squeeze: marked(&self.squeeze_mask),
        }
    }
}

/// Checks that numbers fit 32 bits.
fn check_int32(parameter: &'static str, numbers: &[i64]) -> Result<(), MilError> {
    let mut numbers = numbers.iter().enumerate();
    match numbers.find(|&(_, &value)| i32::try_from(value).is_err()) {
        Some((item, &value)) => Err(MilError::Int32 {
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

/// Checks that the length of each axis fits coremltools' 32 bits.
fn check_axes(shape: &[usize]) -> Result<(), SliceError> {
    let mut axes = shape.iter().enumerate();
    match axes.find(|&(_, &size)| i32::try_from(size).is_err()) {
        Some((axis, &size)) => Err(SliceError::TooLarge { axis, size }),
        None => Ok(()),
    }
}
