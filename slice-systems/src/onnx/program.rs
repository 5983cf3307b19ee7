//! Defines programs that consist of ONNX's `Slice`, `Squeeze`, `Unsqueeze`, `Gather` and `GatherND`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use slice_core::resolve::check_shape;
use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, Selection};

use super::Slice;
use crate::Dims;
use crate::axes::{entries_by_axis, inserted_axes, spec_with_items};
use crate::error::OperationError;
use crate::lists::gather::{Gather, GatherNd, NegativeIndices, indices_text};
use crate::step::Step;
use crate::translate::error::TranslateError;
use crate::translate::spec::ONNX;

/// ONNX's `Squeeze`, which drops axes of length 1.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{Op, Program, Squeeze};
///
/// let program = Program::from(vec![Op::Squeeze(Squeeze { axes: vec![0] })]);
/// assert_eq!(program.resolve(&[1, 5])?, s![0].resolve(&[1, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Squeeze {
    /// The dropped axes, numbered as in the input. Negative numbers count from the end.
    pub axes: Vec<i64>,
}

/// ONNX's `Unsqueeze`, which adds axes of length 1.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{Op, Program, Unsqueeze};
///
/// let program = Program::from(vec![Op::Unsqueeze(Unsqueeze { axes: vec![-1] })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![..., newaxis].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Unsqueeze {
    /// The added axes, numbered as in the output. Negative numbers count from the end.
    pub axes: Vec<i64>,
}

/// An operator of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{Op, Program, Squeeze};
///
/// let program = Program::from(vec![Op::Squeeze(Squeeze { axes: vec![0] })]);
/// assert_eq!(program.resolve(&[1, 5])?, s![0].resolve(&[1, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "lowercase"))]
#[non_exhaustive]
pub enum Op {
    /// `Slice`.
    Slice(Slice),
    /// `Squeeze`.
    Squeeze(Squeeze),
    /// `Unsqueeze`.
    Unsqueeze(Unsqueeze),
    /// `Gather`.
    Gather(Gather),
    /// `GatherND`.
    GatherNd(GatherNd),
}

/// A sequence of ONNX operators.
pub type Program = crate::program::Program<Op>;

fn squeeze(axes: &[i64], shape: &[usize]) -> Result<Selection, OperationError> {
    let squeezed = entries_by_axis(axes, shape.len())?;
    let mut expected = Dims::from_slice(shape);
    for &axis in squeezed.keys() {
        expected[axis] = 1;
    }
    check_shape(&expected, shape)?;
    let steps = shape
        .iter()
        .enumerate()
        .map(|(axis, &size)| match squeezed.contains_key(&axis) {
            true => ResolvedStep::Drop(0),
            false => ResolvedStep::Keep(AxisRange::whole(size)),
        });
    Ok(Selection::from_steps(shape, steps.collect::<Dims<_>>())?)
}

fn unsqueeze(axes: &[i64], shape: &[usize]) -> Result<Selection, OperationError> {
    let rank = shape.len().saturating_add(axes.len());
    let inserted = entries_by_axis(axes, rank)?;
    Ok(inserted_axes(shape, rank, |axis| {
        inserted.contains_key(&axis)
    })?)
}

impl Step for Op {
    const SYSTEM: &'static str = ONNX;

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::Slice(slice) => slice.resolve(shape),
            Op::Squeeze(Squeeze { axes }) => squeeze(axes, shape),
            Op::Unsqueeze(Unsqueeze { axes }) => unsqueeze(axes, shape),
            Op::Gather(gather) => gather.resolve(shape, NegativeIndices::CountFromEnd),
            Op::GatherNd(gather) => gather.resolve(shape, NegativeIndices::CountFromEnd),
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let (axes, rank, item) = match self {
            Op::Slice(slice) => return slice.to_spec_for_rank(rank),
            // `Squeeze` drops only axes of length 1, so it is equivalent to index 0 on each of its axes.
            Op::Squeeze(Squeeze { axes }) => (axes, rank, Item::Index(0)),
            Op::Unsqueeze(Unsqueeze { axes }) => {
                (axes, rank.saturating_add(axes.len()), Item::NewAxis)
            }
            Op::Gather(_) => {
                let operation = "Gather";
                return Err(TranslateError::List { operation });
            }
            Op::GatherNd(_) => {
                let operation = "GatherND";
                return Err(TranslateError::List { operation });
            }
        };
        let entries = entries_by_axis(axes, rank)?;
        let last = entries.last_key_value().map_or(0, |(&last, _)| last + 1);
        spec_with_items(last, item, |axis| entries.contains_key(&axis))
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Slice(slice) => slice.call_text(operand),
            Op::Squeeze(Squeeze { axes }) => format!("Squeeze({operand}, axes={axes:?})"),
            Op::Unsqueeze(Unsqueeze { axes }) => format!("Unsqueeze({operand}, axes={axes:?})"),
            Op::Gather(Gather { indices, axis }) => {
                format!("Gather({operand}, {}, axis={axis})", indices_text(indices))
            }
            Op::GatherNd(GatherNd { indices }) => {
                format!("GatherND({operand}, {})", indices_text(indices))
            }
        }
    }

    /// Displays the operators in order, each applied to the result of the previous one.
    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut arrow = "";
        for op in ops {
            f.write_str(arrow)?;
            arrow = " -> ";
            match op {
                Op::Slice(slice) => write!(f, "{slice}")?,
                Op::Squeeze(Squeeze { axes }) => write!(f, "Squeeze(axes={axes:?})")?,
                Op::Unsqueeze(Unsqueeze { axes }) => write!(f, "Unsqueeze(axes={axes:?})")?,
                Op::Gather(Gather { indices, axis }) => {
                    let indices = indices_text(indices);
                    write!(f, "Gather(indices={indices}, axis={axis})")?;
                }
                Op::GatherNd(GatherNd { indices }) => {
                    write!(f, "GatherND(indices={})", indices_text(indices))?;
                }
            }
        }
        if arrow.is_empty() {
            f.write_str("Identity(x)")?;
        }
        Ok(())
    }
}
