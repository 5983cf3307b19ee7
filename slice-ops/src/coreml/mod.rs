//! Core ML's `slice_by_index`, of coremltools' MIL, and the short programs that a slice is there.
//!
//! Entry `i` is `begin[i]`, `end[i]`, `stride[i]`, numbers of 32 bits, and element `i` of each mask; each axis has one. There
//! is no new axis, but [`ExpandDims`].
//!
//! Two parts of coremltools read it, and are not one implementation. Type inference comes first, axis by axis:
//!
//! 1. An axis with a squeeze mask is dropped; its begin is not looked at.
//! 2. Bounds that are both masked leave the whole axis.
//! 3. Bounds that are both not negative, with a stride above 0, or both negative, with one below, give a length without
//!    the axis: an error if they are crossed, the answer if it is 0 or 1.
//! 4. A begin of 0 backwards to a masked end, or of -1 forwards, gives 1. An axis of length 1 gives 1.
//! 5. Otherwise a negative bound counts from the end and is at least 0, which *replaces* what was written; then they are
//!    counted.
//!
//! Folding of constants then reads what type inference left: as Python does; an index is the first element from `begin` on.
//! Where the two give different lengths there is no answer, and it is an error here: they part on axes of length 1, on bounds
//! that are not in the axis, on indices out of range. An index before the axis is the first element there, and an error here.
//!
//! Source: coremltools 9.0, type inference and folding. Nothing was predicted, because that needs macOS.

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
    /// The first element of each axis.
    pub begin: Vec<i64>,
    /// One past the last element of each axis.
    pub end: Vec<i64>,
    /// The distance between the elements of each axis; if it is empty, 1.
    pub stride: Vec<i64>,
    /// Where the begin is ignored; if it is empty, nowhere.
    pub begin_mask: Vec<bool>,
    /// Where the end is ignored; if it is empty, nowhere.
    pub end_mask: Vec<bool>,
    /// Where the axis is dropped at its begin; if it is empty, nowhere.
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

/// What is written for one axis.
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
    /// In coremltools' order: [`MilError::Int32`], [`MilError::Scalar`], [`MilError::Length`], axis by axis
    /// [`MilError::CrossedBounds`]; then [`SliceError::ZeroStep`], [`SliceError::IndexOutOfBounds`],
    /// [`MilError::Disagreement`]. [`SliceError::TooLarge`] if such an array cannot exist.
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

    /// Checks what needs no lengths of axes.
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

    /// What is written for an axis.
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

/// The error for an axis that is longer than coremltools' 32 bits.
fn check_axes(shape: &[usize]) -> Result<(), SliceError> {
    let mut axes = shape.iter().enumerate();
    match axes.find(|&(_, &size)| i32::try_from(size).is_err()) {
        Some((axis, &size)) => Err(SliceError::TooLarge { axis, size }),
        None => Ok(()),
    }
}
