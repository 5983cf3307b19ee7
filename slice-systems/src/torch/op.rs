//! Defines PyTorch's operator `select.int`, and programs that consist of PyTorch operators.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::index;
use slice_core::{DynSliceSpec, Item, Selection};

use super::index::{Index, index_select, tensor};
use super::{Slice, brackets, on_axis};
use crate::axes::{ItemOnAxes, REVERSED};
use crate::error::OperationError;
use crate::program::ProgramOperation;
use crate::translate::error::TranslateError;
use crate::translate::spec::without_lists;

/// PyTorch's `select.int`, which selects one position on an axis, and drops the axis.
///
/// Python equivalent: `x.select(dim, index)`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::torch::{Op, Program, Select};
///
/// let program = Program::from(vec![Op::Select(Select { dim: 1, index: -1 })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![:, -1].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Select {
    /// The axis. A negative number counts from the end.
    pub dim: i64,
    /// The position. A negative number counts from the end.
    pub index: i64,
}

impl Select {
    pub(super) fn on_axis(self, rank: usize) -> Result<ItemOnAxes, OperationError> {
        on_axis("select", Item::Index(self.index), self.dim, rank)
    }
}

/// An operator of a [`Program`], or an indexing expression `x[...]`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::torch::{Op, Program};
///
/// let flip = Op::Flip { dims: vec![-1] };
/// let select = Op::IndexSelect { dim: 1, index: vec![2, 0] };
/// let program = Program::from(vec![flip, select, Op::Unsqueeze { dim: -1 }]);
/// assert_eq!(program.to_string(), "x.flip([-1]).index_select(1, torch.tensor([2, 0])).unsqueeze(-1)");
/// assert_eq!(program.resolve(&[4, 5])?, s![:, [2, 4], newaxis].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "programs have few operations")]
pub enum Op {
    /// `slice.Tensor`.
    Slice(Slice),
    /// `select.int`.
    Select(Select),
    /// `unsqueeze`, which adds an axis of length 1.
    ///
    /// Python equivalent: `x.unsqueeze(dim)`.
    Unsqueeze {
        /// The new axis, numbered as in the result. A negative number counts from the end of the result.
        dim: i64,
    },
    /// `flip`, which returns a copy in which the elements along some axes are in reverse order.
    ///
    /// Python equivalent: `x.flip(dims)`.
    Flip {
        /// The reversed axes. Negative numbers count from the end.
        dims: Vec<i64>,
    },
    /// `index_select`, which selects positions on an axis in any order.
    ///
    /// Python equivalent: `x.index_select(dim, torch.tensor(index))`. Negative indices are errors. If the result is
    /// empty, PyTorch does not check the indices, but this crate does.
    IndexSelect {
        /// The axis. A negative number counts from the end.
        dim: i64,
        /// The indices, counted from the front.
        index: Vec<i64>,
    },
    /// `index.Tensor`.
    Index(Index),
    /// `x[...]`, without steps below 1, and with at most one list. If the result is empty, PyTorch does not check the
    /// indices in the list, but this crate does.
    Getitem(DynSliceSpec),
}

/// A sequence of PyTorch operators. `Display` writes it as a Python expression that consists of calls and brackets
/// `x[...]`.
pub type Program = crate::program::Program<Op>;

/// Returns the reversed axes of a `flip`. On an array without axes, PyTorch accepts the axes 0 and -1.
fn flipped(dims: &[i64], rank: usize) -> Result<ItemOnAxes, OperationError> {
    let axes = rank.max(1);
    let mut entries = dims.iter().enumerate();
    // PyTorch checks whether all axes exist before it checks whether one is repeated.
    if let Some((item, &axis)) = entries.find(|&(_, &dim)| index(dim, axes).is_none()) {
        return Err(OperationError::AxisOutOfRange { item, axis, rank });
    }
    let mut flipped = ItemOnAxes::new(REVERSED, dims, axes)?;
    flipped.axes.retain(|&axis| axis < rank);
    Ok(flipped)
}

impl ProgramOperation for Op {
    const SYSTEM: &'static str = "PyTorch";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let rank = shape.len();
        match self {
            Op::Slice(slice) => slice.resolve(shape),
            Op::Select(select) => select.on_axis(rank)?.select(shape),
            &Op::Unsqueeze { dim } => ItemOnAxes::new_axes(&[dim], rank)?.select(shape),
            Op::Flip { dims } => flipped(dims, rank)?.select(shape),
            Op::IndexSelect { dim, index } => index_select(*dim, index, shape),
            Op::Index(op) => op.resolve(shape),
            Op::Getitem(spec) => brackets::resolve(spec, shape),
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = match self {
            Op::Slice(slice) => return slice.on_axis(rank)?.spec(),
            Op::Select(select) => return select.on_axis(rank)?.spec(),
            &Op::Unsqueeze { dim } => return ItemOnAxes::new_axes(&[dim], rank)?.spec(),
            Op::Flip { dims } => return flipped(dims, rank)?.spec(),
            Op::Getitem(spec) => {
                let spec = without_lists(spec, "x[...]")?;
                brackets::check(spec)?;
                return Ok(spec.clone());
            }
            Op::IndexSelect { .. } => "index_select",
            Op::Index(_) => "index",
        };
        Err(TranslateError::List { operation })
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Slice(slice) => slice.call_text(operand),
            Op::Select(Select { dim, index }) => format!("{operand}.select({dim}, {index})"),
            Op::Unsqueeze { dim } => format!("{operand}.unsqueeze({dim})"),
            Op::Flip { dims } => format!("{operand}.flip({dims:?})"),
            Op::IndexSelect { dim, index } => {
                format!(
                    "{operand}.index_select({dim}, {})",
                    tensor(&index.clone().into())
                )
            }
            Op::Index(index) => index.call_text(operand),
            Op::Getitem(spec) if spec.is_empty() => format!("{operand}[()]"),
            Op::Getitem(spec) => format!("{operand}[{spec}]"),
        }
    }
}

impl Slice {
    /// Returns the operator as a call, with `operand` as its input.
    pub(super) fn call_text(&self, operand: &str) -> String {
        let none = || "None".to_string();
        let start = self.start.map_or_else(none, |start| start.to_string());
        let end = self.end.map_or_else(none, |end| end.to_string());
        let Slice { dim, step, .. } = self;
        format!("torch.ops.aten.slice.Tensor({operand}, {dim}, {start}, {end}, {step})")
    }
}

/// Returns a flip of the axes `dims`, or `None` if `dims` is empty.
pub(super) fn flip(dims: Vec<i64>) -> Option<Op> {
    (!dims.is_empty()).then_some(Op::Flip { dims })
}
