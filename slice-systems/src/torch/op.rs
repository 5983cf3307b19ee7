//! Defines PyTorch's operators `select.int`, `unsqueeze` and `flip`, and programs that consist of PyTorch operators.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::resolve::{element_count, index, index_at};
use slice_core::{DynSliceSpec, Item, ResolvedStep, Selection};

use super::index::{Index, IndexSelect, tensor};
use super::{Slice, axis_of, brackets, with_axis, wrap_axis};
use crate::axes::{REVERSED, entries_by_axis, inserted_axes, reversed_axes, spec_with_items};
use crate::error::OperationError;
use crate::step::Step;
use crate::torch::error::AtenError;
use crate::translate::error::TranslateError;
use crate::translate::spec::{spec_with_item, without_lists};

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

/// PyTorch's `unsqueeze`, which adds an axis of length 1.
///
/// Python equivalent: `x.unsqueeze(dim)`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::torch::{Op, Program, Unsqueeze};
///
/// let program = Program::from(vec![Op::Unsqueeze(Unsqueeze { dim: -1 })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![..., newaxis].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Unsqueeze {
    /// The new axis, numbered as in the result. A negative number counts from the end of the result.
    pub dim: i64,
}

/// PyTorch's `flip`, which returns a copy in which the elements along some axes are in reverse order.
///
/// Python equivalent: `x.flip(dims)`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::torch::{Flip, Op, Program};
///
/// let program = Program::from(vec![Op::Flip(Flip { dims: vec![-1] })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![:, ::-1].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Flip {
    /// The reversed axes. Negative numbers count from the end.
    pub dims: Vec<i64>,
}

/// An operator of a [`Program`], or an indexing expression `x[...]`.
///
/// # Example
///
/// ```
/// use slice_systems::torch::{Flip, Op, Program, Select};
///
/// let ops = vec![Op::Select(Select { dim: 0, index: 1 }), Op::Flip(Flip { dims: vec![0] })];
/// println!("{}", Program::from(ops));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "programs have few operations")]
pub enum Op {
    /// `slice.Tensor`.
    Slice(Slice),
    /// `select.int`.
    Select(Select),
    /// `unsqueeze`.
    Unsqueeze(Unsqueeze),
    /// `flip`.
    Flip(Flip),
    /// `index_select`.
    IndexSelect(IndexSelect),
    /// `index.Tensor`.
    Index(Index),
    /// `x[...]`, without steps below 1, and with at most one list. If the result is empty, PyTorch does not check the
    /// indices in the list, but this crate does.
    Getitem(DynSliceSpec),
}

/// A sequence of PyTorch operators. `Display` writes it as a Python expression that consists of calls and brackets
/// `x[...]`.
pub type Program = crate::program::Program<Op>;

impl Op {
    pub(super) fn select(select: Select, shape: &[usize]) -> Result<Selection, OperationError> {
        let axis = axis_of("select", select.dim, shape.len())?;
        element_count(shape)?;
        let position = index_at(0, axis, select.index, shape[axis])?;
        with_axis(shape, axis, |steps| {
            steps.push(ResolvedStep::Drop(position))
        })
    }

    fn unsqueeze(dim: i64, shape: &[usize]) -> Result<Selection, OperationError> {
        let axis = wrap_axis(0, dim, shape.len().saturating_add(1))?;
        let rank = shape.len() + 1;
        Ok(inserted_axes(shape, rank, |other| other == axis)?)
    }
}

/// Returns a map from each axis of a flip, counted from the front, to its index in `dims`. On an array without axes,
/// PyTorch accepts the axes 0 and -1.
fn flipped_axes(dims: &[i64], rank: usize) -> Result<BTreeMap<usize, usize>, OperationError> {
    let axes = rank.max(1);
    let mut entries = dims.iter().enumerate();
    // PyTorch checks whether all axes exist before it checks whether one is repeated.
    if let Some((item, &axis)) = entries.find(|&(_, &dim)| index(dim, axes).is_none()) {
        return Err(OperationError::AxisOutOfRange { item, axis, rank });
    }
    entries_by_axis(dims, axes)
}

/// Returns the spec that applies `item` to `axis`, and selects all other axes in full.
fn spec_for_axis(axis: usize, item: Item) -> Result<DynSliceSpec, TranslateError> {
    spec_with_item(i64::try_from(axis).unwrap_or(i64::MAX), item)
}

impl Step for Op {
    const SYSTEM: &'static str = "PyTorch";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match *self {
            Op::Slice(ref slice) => slice.resolve(shape),
            Op::Select(select) => Op::select(select, shape),
            Op::Unsqueeze(Unsqueeze { dim }) => Op::unsqueeze(dim, shape),
            Op::Flip(Flip { ref dims }) => {
                let axes = flipped_axes(dims, shape.len())?;
                reversed_axes(shape, |axis| axes.contains_key(&axis))
            }
            Op::IndexSelect(ref op) => op.resolve(shape),
            Op::Index(ref op) => op.resolve(shape),
            Op::Getitem(ref spec) => brackets::resolve(spec, shape),
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        match *self {
            Op::Slice(Slice {
                dim,
                start: begin,
                end,
                step,
            }) => {
                let axis = axis_of("slice", dim, rank)?;
                if step <= 0 {
                    return Err(OperationError::from(AtenError::Step { dim, step }).into());
                }
                spec_for_axis(axis, Item::Range { begin, end, step })
            }
            Op::Select(Select { dim, index }) => {
                spec_for_axis(axis_of("select", dim, rank)?, Item::Index(index))
            }
            Op::Unsqueeze(Unsqueeze { dim }) => {
                spec_for_axis(wrap_axis(0, dim, rank.saturating_add(1))?, Item::NewAxis)
            }
            Op::Flip(Flip { ref dims }) => {
                let axes = flipped_axes(dims, rank)?;
                spec_with_items(rank, REVERSED, |axis| axes.contains_key(&axis))
            }
            Op::IndexSelect(_) => Err(TranslateError::List {
                operation: "index_select",
            }),
            Op::Index(_) => Err(TranslateError::List { operation: "index" }),
            Op::Getitem(ref spec) => {
                let spec = without_lists(spec, "x[...]")?;
                brackets::check(spec)?;
                Ok(spec.clone())
            }
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Slice(slice) => slice.call_text(operand),
            Op::Select(Select { dim, index }) => format!("{operand}.select({dim}, {index})"),
            Op::Unsqueeze(Unsqueeze { dim }) => format!("{operand}.unsqueeze({dim})"),
            Op::Flip(Flip { dims }) => format!("{operand}.flip({dims:?})"),
            Op::IndexSelect(IndexSelect { dim, index }) => {
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
    (!dims.is_empty()).then_some(Op::Flip(Flip { dims }))
}
