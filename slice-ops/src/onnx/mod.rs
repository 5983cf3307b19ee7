//! ONNX's operator `Slice` of opsets 1, 10, 11 and 13.
//!
//! Entry `i` slices axis `axes[i]` from `starts[i]` to `ends[i]` in steps of `steps[i]`. Axes without an entry are
//! whole. Without `axes`, the entries belong to the first axes in order; without `steps`, all steps are 1. ONNX applies
//! these rules in order:
//!
//! 1. The input has an axis, and all vectors have the same length. In opset 1, where the vectors are attributes and
//!    there are no `steps`, the lengths are checked first; later they are inputs.
//! 2. Entry by entry: the axis is in `-rank..rank`, no earlier entry names it, and the step is not 0. Opsets 1 and 10
//!    do not mention negative axes; ONNX Runtime accepts them.
//! 3. A negative start or end counts from the end of the axis, once. A positive step then clamps both to `0..=size`; a
//!    negative step clamps the start to `0..=size - 1` and the end to `-1..=size - 1`. Only the text of opset 13 says
//!    this; ONNX Runtime does it in all opsets.
//!
//! No bound can be omitted: INT_MAX stands for "to the end", and INT_MIN does so with a negative step. ONNX Runtime
//! alone also reads INT_MAX (of 32 or 64 bits) as "to the end" with a negative step; see
//! [`Slice::resolve_onnxruntime`].
//!
//! Source: the operator's text in ONNX 1.23, and ONNX Runtime 1.31.1.

mod defects;
mod explain;
mod operation;
mod plan;
mod program;
mod read;

pub use plan::OnnxPlan;
pub use program::{Gather, Op, Program, Squeeze, Unsqueeze};

use alloc::vec::Vec;

#[cfg(feature = "serde")]
use slice_core::deserialize_fields;
use slice_core::resolve::element_count;
use slice_core::resolve::index;
use slice_core::resolve::range_at;
use slice_core::{AxisRange, ResolvedStep, Selection, SliceError};

use crate::Dims;
use crate::entries::not_before_first;
use crate::error::OperationError;

/// The first opset in which the vectors are inputs and steps exist.
pub(crate) const WITH_INPUTS: u32 = 10;

/// One of the two ends that ONNX Runtime reads as "to the end" in both directions; the other is `i64::MAX`.
pub(crate) const INT32_MAX: i64 = i32::MAX as i64;

/// ONNX's `Slice`, of any opset.
///
/// Python equivalent: `x[starts[0]:ends[0]:steps[0], ...]` with the entries sorted by their axes.
///
/// # Example
///
/// ```
/// use slice_ops::onnx::Slice;
/// use slice_core::s;
///
/// let op = Slice {
///     opset: 13,
///     starts: vec![0, 1],
///     ends: vec![-1, 1000],
///     axes: None,
///     steps: None,
/// };
/// assert_eq!(op.resolve(&[2, 4])?, s![:-1, 1:].resolve(&[2, 4])?);
/// # Ok::<(), slice_ops::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Slice {
    /// The version of the operator set that the model imports; the operator changed in 1, 10, 11 and 13. With serde, an
    /// operator without a version is read as an operator of opset 13.
    pub opset: u32,
    /// The first position of each entry.
    pub starts: Vec<i64>,
    /// One past the last position of each entry.
    pub ends: Vec<i64>,
    /// The axis of each entry; if omitted, the first axes in order.
    pub axes: Option<Vec<i64>>,
    /// The step of each entry; if omitted, 1.
    pub steps: Option<Vec<i64>>,
}

#[cfg(feature = "serde")]
deserialize_fields!(Slice as "ONNX's Slice", {
    opset: u32 = 13,
    starts: Vec<i64>,
    ends: Vec<i64>,
    axes: Option<Vec<i64>> = None,
    steps: Option<Vec<i64>> = None,
});

/// How a written end is read: as in the operator's text, or as in ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Text,
    Runtime,
}

impl End {
    /// Returns the effective end; `None` is "to the end", in either direction.
    fn read(self, written: i64) -> Option<i64> {
        match (self, written) {
            (End::Runtime, INT32_MAX | i64::MAX) => None,
            _ => Some(written),
        }
    }
}

impl Slice {
    /// Applies the operator to an array of this shape, as its text says.
    ///
    /// Python equivalent: `onnx.reference.ReferenceEvaluator(model).run(None, {"data": x, ...})`.
    ///
    /// # Errors
    ///
    /// [`OperationError::Opset`], [`OperationError::ScalarInput`], [`OperationError::VectorLength`]; then, entry by
    /// entry, [`OperationError::AxisOutOfRange`], [`OperationError::RepeatedAxis`], [`SliceError::ZeroStep`].
    /// [`SliceError::TooLarge`] if no array can have this shape.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.select(shape, End::Text)
    }

    /// Applies the operator to an array of this shape, as ONNX Runtime does: an end of `i32::MAX` or `i64::MAX` means
    /// "to the end" even with a negative step.
    ///
    /// Python equivalent: `onnxruntime.InferenceSession(model).run(None, {"data": x, ...})`.
    ///
    /// # Errors
    ///
    /// The errors of [`resolve`](Self::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_ops::onnx::Slice;
    ///
    /// let op = Slice {
    ///     opset: 13,
    ///     starts: vec![3],
    ///     ends: vec![i64::MAX],
    ///     axes: None,
    ///     steps: Some(vec![-1]),
    /// };
    /// assert_eq!(op.resolve(&[4])?.output_shape(), [0]);
    /// assert_eq!(op.resolve_onnxruntime(&[4])?.output_shape(), [4]);
    /// # Ok::<(), slice_ops::OperationError>(())
    /// ```
    pub fn resolve_onnxruntime(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.select(shape, End::Runtime)
    }

    /// Returns the selection, with written ends read in one of two ways.
    pub(crate) fn select(&self, shape: &[usize], end: End) -> Result<Selection, OperationError> {
        self.check(shape.len())?;
        // Must come first: arithmetic on axes relies on valid lengths.
        element_count(shape)?;
        let mut axes: Dims<Option<(usize, AxisRange)>> = shape.iter().map(|_| None).collect();
        for item in 0..self.starts.len() {
            let axis = self.axis(item, shape.len())?;
            if let Some((first, _)) = axes[axis] {
                let second = item;
                return Err(OperationError::RepeatedAxis {
                    first,
                    second,
                    axis,
                });
            }
            let bounds = self.bounds(item, end, shape[axis]);
            axes[axis] = Some((item, self.range(item, axis, bounds, shape[axis])?));
        }
        let steps = axes.iter().zip(shape).map(|(sliced, &size)| {
            ResolvedStep::Keep(sliced.map_or(AxisRange::whole(size), |(_, range)| range))
        });
        Ok(Selection::from_steps(shape, steps)?)
    }

    /// Returns the effective start and end of an entry on an axis of this size; an end of `None` is "to the end".
    pub(crate) fn bounds(&self, item: usize, end: End, size: usize) -> (Option<i64>, Option<i64>) {
        let start = not_before_first(self.starts[item], size);
        (Some(start), end.read(self.ends[item]))
    }

    /// Returns the positions of an entry with these bounds on its axis.
    pub(crate) fn range(
        &self,
        item: usize,
        axis: usize,
        (start, end): (Option<i64>, Option<i64>),
        size: usize,
    ) -> Result<AxisRange, SliceError> {
        range_at(item, axis, start, end, self.step(item), size)
    }

    /// Checks the operator before any of its entries.
    pub(crate) fn check(&self, rank: usize) -> Result<(), OperationError> {
        self.check_opset()?;
        let is_scalar = rank == 0;
        if is_scalar && self.opset >= WITH_INPUTS {
            return Err(OperationError::ScalarInput);
        }
        self.check_lengths()?;
        if is_scalar {
            return Err(OperationError::ScalarInput);
        }
        Ok(())
    }

    /// Performs the checks that need no shape.
    pub(crate) fn check_vectors(&self) -> Result<(), OperationError> {
        self.check_opset()?;
        self.check_lengths()
    }

    fn check_opset(&self) -> Result<(), OperationError> {
        let opset = self.opset;
        if opset == 0 || (opset < WITH_INPUTS && self.steps.is_some()) {
            let attribute = (opset > 0).then_some("steps");
            return Err(OperationError::Opset { opset, attribute });
        }
        Ok(())
    }

    fn check_lengths(&self) -> Result<(), OperationError> {
        for (vector, entries) in [
            ("ends", Some(&self.ends)),
            ("axes", self.axes.as_ref()),
            ("steps", self.steps.as_ref()),
        ] {
            if let Some(entries) = entries
                && entries.len() != self.starts.len()
            {
                return Err(OperationError::VectorLength {
                    vector,
                    expected: self.starts.len(),
                    actual: entries.len(),
                });
            }
        }
        Ok(())
    }

    /// Returns the axis of an entry as written; without `axes`, its position.
    pub(crate) fn written_axis(&self, item: usize) -> i64 {
        self.axes.as_ref().map_or(item as i64, |axes| axes[item])
    }

    /// Returns the axis of an entry, counted from the front.
    pub(crate) fn axis(&self, item: usize, rank: usize) -> Result<usize, OperationError> {
        let axis = self.written_axis(item);
        let position = index(axis, rank);
        position.ok_or(OperationError::AxisOutOfRange { item, axis, rank })
    }

    /// Returns the step of an entry.
    pub(crate) fn step(&self, item: usize) -> i64 {
        self.steps.as_ref().map_or(1, |steps| steps[item])
    }
}
