//! Defines Core ML's operations other than `slice_by_index`, and programs that consist of Core ML operations.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slice_core::resolve::range_at;
use slice_core::{DynSliceSpec, Item, ResolvedStep, Selection};

use super::{SliceByIndex, check_agreement, check_int32, check_length};
use crate::axes::{ItemOnAxes, REVERSED, axis_at, select_each_axis};
use crate::coreml::error::MilError;
use crate::error::OperationError;
use crate::lists::gather::{Gather, NegativeIndices, indices_text};
use crate::operation::Operation;
use crate::program::ProgramOperation;
use crate::translate::error::TranslateError;

/// Core ML's `slice_by_size`, which selects, on each axis, `size` elements starting at `begin`. A size of -1 selects
/// the rest of the axis.
///
/// Type inference and constant folding disagree in these cases, which are errors in this crate: a size below -1, a size
/// of -1 with a negative `begin`, a size of 0 with a `begin` before the end of the axis, and a size that exceeds the
/// rest of the axis.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::coreml::{Op, Program, SliceBySize};
/// use slice_systems::lists::Operations;
///
/// let op = SliceBySize { begin: vec![1, 0], size: vec![2, -1] };
/// assert_eq!(op.resolve(&[4, 5])?, s![1:3].resolve(&[4, 5])?);
/// let program = Program::from(vec![Op::SliceBySize(op)]);
/// assert_eq!(program.to_spec_for_rank(2)?.to_string(), "1:3, 0:");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct SliceBySize {
    /// The first position on each axis.
    pub begin: Vec<i64>,
    /// The number of positions on each axis.
    pub size: Vec<i64>,
}

/// An operation of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::coreml::{Op, Program};
/// use slice_systems::lists::Operations;
///
/// let program = Program::from(vec![Op::Reverse { axes: vec![-1] }, Op::ExpandDims { axes: vec![-1] }]);
/// assert_eq!(program.to_string(), "mb.expand_dims(x=mb.reverse(x=x, axes=[-1]), axes=[-1])");
/// assert_eq!(program.resolve(&[4, 5])?, s![..., ::-1, newaxis].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Op {
    /// `slice_by_index`.
    SliceByIndex(SliceByIndex),
    /// `slice_by_size`.
    SliceBySize(SliceBySize),
    /// `expand_dims`, which adds axes of length 1.
    ExpandDims {
        /// The new axes, numbered as in the result. Negative numbers count from the end of the result.
        axes: Vec<i64>,
    },
    /// `reverse`, which reverses the order of the elements along some axes. An axis that is named twice is reversed
    /// twice, and therefore unchanged.
    Reverse {
        /// The reversed axes. Negative numbers count from the end.
        axes: Vec<i64>,
    },
    /// `gather`.
    Gather(Gather),
}

/// A sequence of Core ML operations. `Display` writes it as Python code for coremltools' builder.
pub type Program = crate::program::Program<Op>;

impl SliceBySize {
    /// Applies the operation to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// * [`OperationError::System`] if a `begin` or a size does not fit in 32 bits, if a parameter does not have one entry for
    ///   each axis, or if the input has no axes.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape.
    /// * [`OperationError::System`] if type inference and constant folding give different lengths. The error contains
    ///   the first such axis.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check(shape.len())?;
        select_each_axis(shape, |axis, len| {
            let (begin, size) = (self.begin[axis], self.size[axis]);
            let len_i64 = i64::try_from(len).unwrap_or(i64::MAX);
            let inferred = match size {
                -1 => len_i64.saturating_sub(begin),
                size => size,
            };
            let first = match begin < 0 {
                true => begin.saturating_add(len_i64),
                false => begin,
            };
            let end = (size > 0).then_some(first.saturating_add(size));
            let range = range_at(axis, axis, Some(first), end, 1, len)?;
            check_agreement(axis, inferred, range.len())?;
            Ok(ResolvedStep::Keep(range))
        })
    }

    /// Returns the spec that selects the same elements as the operation for all shapes that the operation accepts.
    /// There is no such spec if a `begin` is below -1.
    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check(self.begin.len())?;
        let mut spec = DynSliceSpec::default();
        for (axis, (&begin, &size)) in self.begin.iter().zip(&self.size).enumerate() {
            let (step, operation) = (1, "slice_by_size");
            let (begin, end) = match (begin, size) {
                (_, ..-1) | (..0, -1) => {
                    let (inferred, folded) = (size, 0);
                    return Err(MilError::Disagreement {
                        axis,
                        inferred,
                        folded,
                    }
                    .into());
                }
                (..-1, _) => return Err(TranslateError::DependsOnLength { operation, axis }),
                (_, -1) => (begin, None),
                (_, 0) => (0, Some(0)),
                (-1, 1) => (-1, None),
                _ => (begin, Some(begin.saturating_add(size))),
            };
            let begin = Some(begin);
            spec.push(Item::Range { begin, end, step })?;
        }
        Ok(spec)
    }

    fn check(&self, rank: usize) -> Result<(), OperationError> {
        for (parameter, numbers) in [("begin", &self.begin), ("size", &self.size)] {
            check_int32(parameter, numbers)?;
            check_length(parameter, numbers.len(), rank)?;
        }
        match rank {
            0 => Err(MilError::Scalar.into()),
            _ => Ok(()),
        }
    }
}

/// Returns the axes that a `reverse` names an odd number of times.
fn reversed(axes: &[i64], rank: usize) -> Result<ItemOnAxes, OperationError> {
    let mut reversed = BTreeSet::new();
    for (item, &axis) in axes.iter().enumerate() {
        let axis = axis_at(item, axis, rank)?;
        if !reversed.insert(axis) {
            reversed.remove(&axis);
        }
    }
    let (item, axes) = (REVERSED, reversed);
    Ok(ItemOnAxes { item, axes })
}

/// Returns a mask in Python's notation.
fn mask_text(mask: &[bool]) -> String {
    let words: Vec<&str> = mask
        .iter()
        .map(|&is_set| if is_set { "True" } else { "False" })
        .collect();
    format!("[{}]", words.join(", "))
}

impl ProgramOperation for Op {
    const SYSTEM: &'static str = "Core ML";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::SliceByIndex(op) => op.resolve(shape),
            Op::SliceBySize(op) => op.resolve(shape),
            Op::ExpandDims { axes } => ItemOnAxes::new_axes(axes, shape.len())?.select(shape),
            Op::Reverse { axes } => reversed(axes, shape.len())?.select(shape),
            Op::Gather(op) => {
                check_int32("axis", &[op.axis])?;
                check_int32("indices", op.indices.elements())?;
                op.resolve(shape, NegativeIndices::CountFromEnd)
            }
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        match self {
            Op::SliceByIndex(op) => {
                op.check(rank)?;
                op.to_spec()
            }
            Op::SliceBySize(op) => {
                op.check(rank)?;
                op.to_spec()
            }
            Op::ExpandDims { axes } => ItemOnAxes::new_axes(axes, rank)?.spec(),
            Op::Reverse { axes } => reversed(axes, rank)?.spec(),
            Op::Gather(_) => Err(TranslateError::List {
                operation: "gather",
            }),
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::SliceByIndex(op) => {
                let mut call = format!(
                    "mb.slice_by_index(x={operand}, begin={:?}, end={:?}",
                    op.begin, op.end
                );
                if op.stride.iter().any(|&stride| stride != 1) {
                    call += &format!(", stride={:?}", op.stride);
                }
                for (name, mask) in [
                    ("begin_mask", &op.begin_mask),
                    ("end_mask", &op.end_mask),
                    ("squeeze_mask", &op.squeeze_mask),
                ] {
                    if mask.contains(&true) {
                        call += &format!(", {name}={}", mask_text(mask));
                    }
                }
                call + ")"
            }
            Op::SliceBySize(SliceBySize { begin, size }) => {
                format!("mb.slice_by_size(x={operand}, begin={begin:?}, size={size:?})")
            }
            Op::ExpandDims { axes } => {
                format!("mb.expand_dims(x={operand}, axes={axes:?})")
            }
            Op::Reverse { axes } => {
                format!("mb.reverse(x={operand}, axes={axes:?})")
            }
            Op::Gather(Gather { indices, axis }) => {
                let indices = indices_text(indices);
                format!("mb.gather(x={operand}, indices={indices}, axis={axis})")
            }
        }
    }
}
