//! Defines StableHLO's operations other than `slice`, and programs that consist of StableHLO operations.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::{fmt, slice};

use slice_core::resolve::{element_count, index};
use slice_core::{AxisRange, DynSliceSpec, Item, NdList, ResolvedStep, Selection};

use super::{Slice, check_rank};
use crate::axes::{ItemOnAxes, REVERSED, reshaped, select_each_axis};
use crate::error::OperationError;
use crate::lists::gather::{NegativeIndices, indices_text, lists_of_points, select_lists};
use crate::operation::Operation;
use crate::program::ProgramOperation;
use crate::stablehlo::error::VerifyError;
use crate::translate::error::TranslateError;

/// An operation of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{Op, Program};
///
/// let reverse = Op::Reverse { dimensions: vec![1] };
/// let reshape = Op::Reshape { shape: vec![4, 1, 5] };
/// let gather = Op::Gather { dimension: 2, indices: vec![3, 0, 9].into() };
/// let program = Program::from(vec![reverse, reshape, gather]);
/// assert_eq!(program.resolve(&[4, 5])?, s![:, newaxis, [1, 4, 0]].resolve(&[4, 5])?);
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
    /// `slice`.
    Slice(Slice),
    /// `dynamic_slice` with known starts. It selects a window, which consists of consecutive positions on each axis. If
    /// the window does not fit in the array, it is moved until it fits.
    ///
    /// Python equivalent: `x[start:start + size]` if the window fits; otherwise, there is none. `jax.lax.dynamic_slice`
    /// differs: it counts negative starts from the end.
    DynamicSlice {
        /// The first position of the window on each axis, before the window is moved.
        start_indices: Vec<i64>,
        /// The length of the window on each axis.
        slice_sizes: Vec<i64>,
    },
    /// `reverse`, which reverses the order of the elements along some axes.
    Reverse {
        /// The reversed axes.
        dimensions: Vec<i64>,
    },
    /// `reshape`, limited to adding and dropping axes of length 1.
    Reshape {
        /// The shape of the result.
        shape: Vec<usize>,
    },
    /// `gather`, limited to a single list of positions on one axis. The axes of the list take the place of the axis.
    ///
    /// Python equivalent: `jnp.take(x, indices, axis, mode="clip")`. An index outside the axis is clamped to the axis;
    /// a negative index becomes 0. In MLIR, this gather is described by dimension numbers.
    Gather {
        /// The axis.
        dimension: i64,
        /// The positions, before they are clamped to the axis.
        indices: NdList<i64>,
    },
    /// `gather`, limited to points on neighboring axes. The axes of the points take the place of these axes.
    ///
    /// Python equivalent: `x.at[rows, cols].get(mode="clip")` for the first two axes. Each position is clamped to its
    /// axis.
    GatherNd {
        /// The first of the axes.
        dimension: i64,
        /// The points, before they are clamped. Each element of the last axis is the position on one of the axes.
        indices: NdList<i64>,
    },
}

/// A sequence of StableHLO operations. `Display` writes each operation on its own line.
pub type Program = crate::program::Program<Op>;

/// Resolves a `dynamic_slice`.
fn dynamic_slice(
    starts: &[i64],
    sizes: &[i64],
    shape: &[usize],
) -> Result<Selection, OperationError> {
    let (slice_sizes, start_indices) = (sizes.len(), starts.len());
    if slice_sizes != start_indices {
        return Err(VerifyError::Sizes {
            slice_sizes,
            start_indices,
        }
        .into());
    }
    check_rank(slice_sizes, shape.len())?;
    select_each_axis(shape, |axis, len| {
        let size = sizes[axis];
        let selected = usize::try_from(size).ok().filter(|&size| size <= len);
        let selected = selected.ok_or(VerifyError::Size { axis, size, len })?;
        let start = usize::try_from(starts[axis]).unwrap_or(0);
        let start = start.min(len - selected);
        Ok(ResolvedStep::Keep(AxisRange::new(start, 1, selected)))
    })
}

/// Returns the spec that is equivalent to a `dynamic_slice` for all shapes. There is no such spec if the start is above
/// 0 and the size is not 0 on some axis, because the window is moved if that axis has fewer than `start + size`
/// positions.
fn dynamic_slice_spec(starts: &[i64], sizes: &[i64]) -> Result<DynSliceSpec, TranslateError> {
    let mut spec = DynSliceSpec::default();
    for (axis, (&start, &size)) in starts.iter().zip(sizes).enumerate() {
        if size < 0 {
            return Err(VerifyError::NegativeSize { axis, size }.into());
        }
        if start > 0 && size > 0 {
            let operation = "dynamic_slice";
            return Err(TranslateError::DependsOnLength { operation, axis });
        }
        let (begin, end) = (Some(0), Some(size));
        spec.push(Item::Range {
            begin,
            end,
            step: 1,
        })?;
    }
    Ok(spec)
}

/// Returns the axes of a `reverse`. Checks first that no axis is negative, then that none is repeated, and then that
/// all exist.
fn reversed(dimensions: &[i64], rank: usize) -> Result<ItemOnAxes, OperationError> {
    let dimensions = || dimensions.iter().copied().enumerate();
    let out_of_range = |(item, axis)| OperationError::AxisOutOfRange { item, axis, rank };
    if let Some(negative) = dimensions().find(|&(_, axis)| axis < 0) {
        return Err(out_of_range(negative));
    }
    let mut positions = BTreeMap::new();
    for (second, axis) in dimensions() {
        let position = usize::try_from(axis).unwrap_or(usize::MAX);
        if let Some(first) = positions.insert(position, second) {
            return Err(OperationError::RepeatedAxis {
                first,
                second,
                axis,
            });
        }
    }
    match dimensions().find(|&(_, axis)| index(axis, rank).is_none()) {
        Some(entry) => Err(out_of_range(entry)),
        None => Ok(ItemOnAxes {
            item: REVERSED,
            axes: positions.into_keys().collect(),
        }),
    }
}

/// Returns the selection of the positions in `lists`, one list for each axis from `dimension` on. Positions are clamped.
fn gather(
    dimension: i64,
    lists: &[NdList<i64>],
    shape: &[usize],
) -> Result<Selection, OperationError> {
    let rank = shape.len();
    let first = usize::try_from(dimension).ok();
    let Some(first) = first.filter(|first| lists.len() <= rank.saturating_sub(*first)) else {
        let (item, axis) = (0, dimension);
        return Err(OperationError::AxisOutOfRange { item, axis, rank });
    };
    if let Some(axis) = (first..first + lists.len()).find(|&axis| shape[axis] == 0) {
        let (size, len) = (1, 0);
        return Err(VerifyError::Size { axis, size, len }.into());
    }
    element_count(shape)?;
    let clamped = shape[first..].iter().zip(lists).map(|(&size, list)| {
        // Positions fit in an `i64`, because no axis is longer than `isize::MAX`.
        let indices = list.elements().iter();
        let indices = indices.map(|index| (*index).clamp(0, size as i64 - 1));
        NdList::new(list.shape(), indices.collect::<Vec<_>>())
    });
    let clamped = clamped.collect::<Result<Vec<_>, _>>()?;
    select_lists(shape, first, &clamped, NegativeIndices::AreErrors)
}

fn reshape(shape: &[usize], new_shape: &[usize]) -> Result<Selection, OperationError> {
    let (expected, actual) = (element_count(shape)?, element_count(new_shape)?);
    if expected != actual {
        return Err(VerifyError::Elements { expected, actual }.into());
    }
    Ok(reshaped(shape, new_shape)?.ok_or(VerifyError::NotASlice)?)
}

/// Returns the lengths in `shape`, separated by `x`.
pub(super) fn sizes(shape: &[usize]) -> String {
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    sizes.join("x")
}

/// Returns the starts, limits and strides in the notation of StableHLO's parser.
fn ranges(op: &Slice) -> String {
    let ends = op
        .start_indices
        .iter()
        .zip(&op.limit_indices)
        .zip(&op.strides);
    let ranges: Vec<String> = ends
        .map(|((start, limit), stride)| match stride {
            1 => format!("{start}:{limit}"),
            stride => format!("{start}:{limit}:{stride}"),
        })
        .collect();
    format!("[{}]", ranges.join(", "))
}

impl ProgramOperation for Op {
    const SYSTEM: &'static str = "StableHLO";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::Slice(op) => op.resolve(shape),
            Op::DynamicSlice {
                start_indices,
                slice_sizes,
            } => dynamic_slice(start_indices, slice_sizes, shape),
            Op::Reverse { dimensions } => reversed(dimensions, shape.len())?.select(shape),
            Op::Reshape { shape: new_shape } => reshape(shape, new_shape),
            Op::Gather { dimension, indices } => {
                gather(*dimension, slice::from_ref(indices), shape)
            }
            Op::GatherNd { dimension, indices } => {
                gather(*dimension, &lists_of_points(indices, shape.len())?, shape)
            }
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        match self {
            Op::Slice(op) => {
                check_rank(op.strides.len(), rank)?;
                op.to_spec()
            }
            Op::DynamicSlice {
                start_indices,
                slice_sizes,
            } => {
                for entries in [slice_sizes.len(), start_indices.len()] {
                    check_rank(entries, rank)?;
                }
                dynamic_slice_spec(start_indices, slice_sizes)
            }
            Op::Reverse { dimensions } => reversed(dimensions, rank)?.spec(),
            Op::Gather { .. } | Op::GatherNd { .. } => Err(TranslateError::List {
                operation: "gather",
            }),
            Op::Reshape { .. } => {
                let (operation, axis) = ("reshape", 0);
                Err(TranslateError::DependsOnLength { operation, axis })
            }
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::Slice(op) => format!("stablehlo.slice {operand} {}", ranges(op)),
            Op::DynamicSlice {
                start_indices,
                slice_sizes,
            } => {
                let starts: String = start_indices
                    .iter()
                    .map(|start| format!(", {start}"))
                    .collect();
                format!("stablehlo.dynamic_slice {operand}{starts}, sizes = {slice_sizes:?}")
            }
            Op::Reverse { dimensions } => {
                format!("stablehlo.reverse {operand}, dims = {dimensions:?}")
            }
            Op::Gather { dimension, indices } => {
                let indices = indices_text(indices);
                format!("stablehlo.gather {operand}, {indices}, dim = {dimension}")
            }
            Op::GatherNd { dimension, indices } => {
                let axes = indices.shape().last().copied().unwrap_or(0) as i64;
                let dims: Vec<i64> = (*dimension..dimension.saturating_add(axes)).collect();
                let indices = indices_text(indices);
                format!("stablehlo.gather {operand}, {indices}, dims = {dims:?}")
            }
            Op::Reshape { shape } => {
                format!("stablehlo.reshape {operand} to {}", sizes(shape))
            }
        }
    }

    /// Writes each operation on its own line.
    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut operand = String::from("%x");
        for (number, op) in ops.iter().enumerate() {
            let end = if number > 0 { "\n" } else { "" };
            write!(f, "{end}%{number} = {}", op.call(&operand))?;
            operand = format!("%{number}");
        }
        if ops.is_empty() {
            f.write_str("%x")?;
        }
        Ok(())
    }
}
