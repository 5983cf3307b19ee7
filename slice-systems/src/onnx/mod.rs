//! ONNX's operator `Slice` of opsets 1, 10, 11 and 13.
//!
//! Entry `i` slices axis `axes[i]` from `starts[i]` to `ends[i]` in steps of `steps[i]`. Axes without an entry are
//! selected in full. If `axes` is omitted, the entries apply to the leading axes in order. If `steps` is omitted, all
//! steps are 1. ONNX applies these rules in order:
//!
//! 1. The input has at least one axis, and the vectors (`starts`, `ends` and, if given, `axes` and `steps`) have the
//!    same length. In opset 1, the vectors are attributes, there are no `steps`, and the lengths of the vectors are
//!    checked before the axes of the input. Since opset 10, the vectors are inputs.
//! 2. For each entry in order: the axis is in `-rank..rank`, no earlier entry names the same axis, and the step is
//!    nonzero. The specifications of opsets 1 and 10 do not mention negative axes, but ONNX Runtime accepts them in
//!    these opsets.
//! 3. The length `size` of the axis is added once to a negative start or end. If the step is positive, both bounds are
//!    then clamped to `0..=size`. If the step is negative, the start is clamped to `0..=size - 1`, and the end to
//!    `-1..=size - 1`. Only the specification of opset 13 contains this rule, but ONNX Runtime applies it in all
//!    opsets.
//!
//! Bounds cannot be omitted. Instead, an end of INT_MAX means "to the end of the axis" if the step is positive, and an
//! end of INT_MIN means "down to the first element" if the step is negative. Unlike the specification, ONNX Runtime
//! also interprets an end of INT_MAX (`i32::MAX` or `i64::MAX`) as "down to the first element" if the step is negative;
//! see [`Slice::resolve_onnxruntime`].
//!
//! Source: the operator's specification in ONNX 1.23, and ONNX Runtime 1.31.1.

mod defects;
mod explain;
mod operation;
mod plan;
mod program;

pub use plan::OnnxPlan;
pub use program::{Op, Program};

use alloc::vec::Vec;

use slice_core::resolve::{element_count, range_at};
use slice_core::{AxisRange, ResolvedStep, Selection, SliceError};

use crate::Dims;
use crate::axes::axis_at;
use crate::error::OperationError;
use crate::masked_slice::not_before_first;

/// The first opset in which the vectors are inputs, and in which `steps` exists.
pub(crate) const MIN_OPSET_WITH_INPUTS: u32 = 10;

/// The largest signed 32-bit integer. ONNX Runtime treats ends of `INT32_MAX` and `i64::MAX` as omitted, whatever the
/// sign of the step.
pub(crate) const INT32_MAX: i64 = i32::MAX as i64;

/// ONNX's `Slice`, in any opset.
///
/// Python equivalent: `x[starts[0]:ends[0]:steps[0], ...]`, with the entries sorted by axis.
///
/// # Example
///
/// ```
/// use slice_systems::onnx::Slice;
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
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Slice {
    /// The version of the operator set that the model imports. `Slice` was added in version 1, and changed in versions
    /// 10, 11 and 13. With the feature `serde`, the default is 13.
    #[cfg_attr(feature = "serde", serde(default = "default_opset"))]
    pub opset: u32,
    /// The first position selected by each entry.
    pub starts: Vec<i64>,
    /// One past the last position selected by each entry.
    pub ends: Vec<i64>,
    /// The axis of each entry; `None` means the leading axes in order.
    pub axes: Option<Vec<i64>>,
    /// The step of each entry; `None` means 1 for every entry.
    pub steps: Option<Vec<i64>>,
}

#[cfg(feature = "serde")]
fn default_opset() -> u32 {
    13
}

/// The meaning of the ends, either in ONNX's specification or in ONNX Runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EndRule {
    Specification,
    Runtime,
}

impl EndRule {
    /// Returns the effective end. `None` means that the range has no end: it extends to the last element or, with a
    /// negative step, to the first element.
    fn effective_end(self, written: i64) -> Option<i64> {
        match (self, written) {
            (EndRule::Runtime, INT32_MAX | i64::MAX) => None,
            _ => Some(written),
        }
    }
}

impl Slice {
    /// Applies the operator to an array with the shape `shape`, as specified by ONNX.
    ///
    /// Python equivalent: `onnx.reference.ReferenceEvaluator(model).run(None, {"data": x, ...})`.
    ///
    /// # Errors
    ///
    /// * [`OperationError::Opset`] if the opset is 0, or if it is below 10 and `steps` is given.
    /// * [`OperationError::ScalarInput`] if the input has no axes.
    /// * [`OperationError::VectorLength`] if the given vectors have different lengths.
    /// * [`SliceError::TooLarge`] if no array can have this shape.
    /// * For each entry in order: [`OperationError::AxisOutOfRange`] if its axis does not exist,
    ///   [`OperationError::RepeatedAxis`] if an earlier entry has the same axis, and [`SliceError::ZeroStep`] if its
    ///   step is 0.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::onnx::Slice;
    ///
    /// // `x[:, 1:]`
    /// let (starts, ends) = (vec![1], vec![i64::MAX]);
    /// let op = Slice { opset: 13, starts, ends, axes: Some(vec![1]), steps: None };
    /// assert_eq!(op.resolve(&[4, 5])?.output_shape(), [4, 4]);
    /// assert_eq!(op.resolve(&[4]).unwrap_err().to_string(), "axis 1 is out of bounds for array of dimension 1 (entry 1 of the axes)");
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.select(shape, EndRule::Specification)
    }

    /// Applies the operator to an array with the shape `shape`, as ONNX Runtime does: if the step is negative, an end
    /// of `i32::MAX` or `i64::MAX` means "down to the first element".
    ///
    /// Python equivalent: `onnxruntime.InferenceSession(model).run(None, {"data": x, ...})`.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`resolve`](Self::resolve).
    ///
    /// # Example
    ///
    /// ```
    /// use slice_systems::onnx::Slice;
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
    /// # Ok::<(), slice_systems::OperationError>(())
    /// ```
    pub fn resolve_onnxruntime(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.select(shape, EndRule::Runtime)
    }

    /// Applies the operator to an array with the shape `shape`. `end` determines the meaning of the ends.
    pub(crate) fn select(
        &self,
        shape: &[usize],
        end: EndRule,
    ) -> Result<Selection, OperationError> {
        self.check(shape.len())?;
        // This check must come before any arithmetic on axes, which relies on valid lengths.
        element_count(shape)?;
        let mut axes: Dims<Option<(usize, AxisRange)>> = shape.iter().map(|_| None).collect();
        for item in 0..self.starts.len() {
            let axis = self.axis(item, shape.len())?;
            if let Some((first, _)) = axes[axis] {
                let (second, axis) = (item, axis as i64);
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

    /// Returns the effective start and end of entry `item` on an axis of length `size`. An end of `None` means that the
    /// range has no end.
    pub(crate) fn bounds(
        &self,
        item: usize,
        end: EndRule,
        size: usize,
    ) -> (Option<i64>, Option<i64>) {
        let start = not_before_first(self.starts[item], size);
        (Some(start), end.effective_end(self.ends[item]))
    }

    /// Returns the positions that entry `item` selects on `axis`, given the effective bounds `start` and `end` of the
    /// entry.
    pub(crate) fn range(
        &self,
        item: usize,
        axis: usize,
        (start, end): (Option<i64>, Option<i64>),
        size: usize,
    ) -> Result<AxisRange, SliceError> {
        range_at(item, axis, start, end, self.step(item), size)
    }

    /// Performs the checks that come before the checks of individual entries.
    pub(crate) fn check(&self, rank: usize) -> Result<(), OperationError> {
        self.check_opset()?;
        let is_scalar = rank == 0;
        if is_scalar && self.opset >= MIN_OPSET_WITH_INPUTS {
            return Err(OperationError::ScalarInput);
        }
        self.check_lengths()?;
        if is_scalar {
            return Err(OperationError::ScalarInput);
        }
        Ok(())
    }

    /// Performs all checks that do not depend on the shape.
    pub(crate) fn check_vectors(&self) -> Result<(), OperationError> {
        self.check_opset()?;
        self.check_lengths()
    }

    fn check_opset(&self) -> Result<(), OperationError> {
        let opset = self.opset;
        if opset == 0 || (opset < MIN_OPSET_WITH_INPUTS && self.steps.is_some()) {
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

    /// Returns the axis of an entry as written, or the index of the entry if `axes` is omitted.
    pub(crate) fn written_axis(&self, item: usize) -> i64 {
        self.axes.as_ref().map_or(item as i64, |axes| axes[item])
    }

    /// Returns the axis of an entry, counted from the front.
    pub(crate) fn axis(&self, item: usize, rank: usize) -> Result<usize, OperationError> {
        axis_at(item, self.written_axis(item), rank)
    }

    /// Returns the step of an entry.
    pub(crate) fn step(&self, item: usize) -> i64 {
        self.steps.as_ref().map_or(1, |steps| steps[item])
    }
}
