//! Defines programs that consist of ONNX's `Slice`, `Squeeze`, `Unsqueeze`, `Gather` and `GatherND`.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use slice_core::resolve::check_shape;
use slice_core::{DynSliceSpec, Item, Selection};

use super::Slice;
use crate::Dims;
use crate::axes::ItemOnAxes;
use crate::error::OperationError;
use crate::lists::gather::{Gather, GatherNd, NegativeIndices, indices_text};
use crate::program::ProgramOperation;
use crate::translate::error::TranslateError;
use crate::translate::spec::ONNX;

/// An operator of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::onnx::{Op, Program};
///
/// let program = Program::from(vec![Op::Squeeze { axes: vec![0] }, Op::Unsqueeze { axes: vec![-1] }]);
/// assert_eq!(program.to_string(), "Squeeze(axes=[0]) -> Unsqueeze(axes=[-1])");
/// assert_eq!(program.resolve(&[1, 5])?, s![0, :, newaxis].resolve(&[1, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "lowercase", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Op {
    /// `Slice`.
    Slice(Slice),
    /// `Squeeze`, which drops axes of length 1.
    Squeeze {
        /// The dropped axes, numbered as in the input. Negative numbers count from the end.
        axes: Vec<i64>,
    },
    /// `Unsqueeze`, which adds axes of length 1.
    Unsqueeze {
        /// The added axes, numbered as in the output. Negative numbers count from the end.
        axes: Vec<i64>,
    },
    /// `Gather`.
    Gather(Gather),
    /// `GatherND`.
    GatherNd(GatherNd),
}

/// A sequence of ONNX operators.
pub type Program = crate::program::Program<Op>;

/// Returns the dropped axes of a `Squeeze`. It drops only axes of length 1, so it is equivalent to index 0 on each of
/// them.
fn squeezed(axes: &[i64], rank: usize) -> Result<ItemOnAxes, OperationError> {
    ItemOnAxes::new(Item::Index(0), axes, rank)
}

fn squeeze(axes: &[i64], shape: &[usize]) -> Result<Selection, OperationError> {
    let squeezed = squeezed(axes, shape.len())?;
    let mut expected = Dims::from_slice(shape);
    for &axis in &squeezed.axes {
        expected[axis] = 1;
    }
    check_shape(&expected, shape)?;
    squeezed.select(shape)
}

impl ProgramOperation for Op {
    const SYSTEM: &'static str = ONNX;

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::Slice(slice) => slice.resolve(shape),
            Op::Squeeze { axes } => squeeze(axes, shape),
            Op::Unsqueeze { axes } => ItemOnAxes::new_axes(axes, shape.len())?.select(shape),
            Op::Gather(gather) => gather.resolve(shape, NegativeIndices::CountFromEnd),
            Op::GatherNd(gather) => gather.resolve(shape, NegativeIndices::CountFromEnd),
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = match self {
            Op::Slice(slice) => return slice.to_spec_for_rank(rank),
            Op::Squeeze { axes } => return squeezed(axes, rank)?.spec(),
            Op::Unsqueeze { axes } => return ItemOnAxes::new_axes(axes, rank)?.spec(),
            Op::Gather(_) => "Gather",
            Op::GatherNd(_) => "GatherND",
        };
        Err(TranslateError::List { operation })
    }

    /// Returns the call without its operand, except for a `Slice`, whose operand is `x`.
    fn call(&self, _: &str) -> String {
        match self {
            Op::Slice(slice) => slice.to_string(),
            Op::Squeeze { axes } => format!("Squeeze(axes={axes:?})"),
            Op::Unsqueeze { axes } => format!("Unsqueeze(axes={axes:?})"),
            Op::Gather(Gather { indices, axis }) => {
                format!("Gather(indices={}, axis={axis})", indices_text(indices))
            }
            Op::GatherNd(GatherNd { indices }) => {
                format!("GatherND(indices={})", indices_text(indices))
            }
        }
    }

    /// Displays the operators in order, each applied to the result of the previous one.
    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let calls: Vec<String> = ops.iter().map(|op| op.call("x")).collect();
        match calls.is_empty() {
            true => f.write_str("Identity(x)"),
            false => f.write_str(&calls.join(" -> ")),
        }
    }
}
