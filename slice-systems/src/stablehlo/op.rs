//! Defines StableHLO's operations other than `slice`, and programs that consist of StableHLO operations.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::slice;

use slice_core::resolve::{element_count, index};
use slice_core::{AxisRange, DynSliceSpec, Item, NdList, ResolvedStep, Selection};

use super::Slice;
use crate::Dims;
use crate::axes::{reshaped, reversed_axes};
use crate::error::OperationError;
use crate::lists::gather::{lists_of_points, select_positions};
use crate::stablehlo::error::VerifyError;
use crate::translate::error::TranslateError;

/// StableHLO's `dynamic_slice` with known starts. It selects a window, which consists of consecutive positions on each
/// axis. If the window does not fit in the array, it is moved until it fits.
///
/// Python equivalent: `x[start:start + size]` if the window fits; otherwise, there is none. `jax.lax.dynamic_slice`
/// differs: it counts negative starts from the end.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{DynamicSlice, Op, Program};
///
/// let op = DynamicSlice { start_indices: vec![3], slice_sizes: vec![2] };
/// let program = Program::from(vec![Op::DynamicSlice(op)]);
/// assert_eq!(program.resolve(&[4])?, s![2:4].resolve(&[4])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct DynamicSlice {
    /// The first position of the window on each axis, before the window is moved.
    pub start_indices: Vec<i64>,
    /// The length of the window on each axis.
    pub slice_sizes: Vec<i64>,
}

/// StableHLO's `reverse`, which reverses the order of the elements along some axes.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{Op, Program, Reverse};
///
/// let program = Program::from(vec![Op::Reverse(Reverse { dimensions: vec![1] })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![:, ::-1].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Reverse {
    /// The reversed axes.
    pub dimensions: Vec<i64>,
}

/// StableHLO's `reshape`, limited to adding and dropping axes of length 1.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{Op, Program, Reshape};
///
/// let program = Program::from(vec![Op::Reshape(Reshape { shape: vec![4, 1, 5] })]);
/// assert_eq!(program.resolve(&[4, 5])?, s![:, newaxis].resolve(&[4, 5])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Reshape {
    /// The shape of the result.
    pub shape: Vec<usize>,
}

/// StableHLO's `gather`, limited to a single list of positions on one axis. The axes of the list take the place of the
/// axis.
///
/// Python equivalent: `jnp.take(x, indices, axis, mode="clip")`. An index outside the axis is clamped to the axis; a
/// negative index becomes 0. In MLIR, this gather is described by dimension numbers.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{Gather, Op, Program};
///
/// let program = Program::from(vec![Op::Gather(Gather { dimension: 1, indices: vec![3, 0, 9].into() })]);
/// assert_eq!(program.resolve(&[2, 4])?, s![:, [3, 0, 3]].resolve(&[2, 4])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Gather {
    /// The axis.
    pub dimension: i64,
    /// The positions, before they are clamped to the axis.
    pub indices: NdList<i64>,
}

/// StableHLO's `gather`, limited to points on neighboring axes. The axes of the points take the place of these axes.
///
/// Python equivalent: `x.at[rows, cols].get(mode="clip")` for the first two axes. Each position is clamped to its axis.
///
/// # Example
///
/// ```
/// use slice_core::{NdList, s};
/// use slice_systems::lists::Operations;
/// use slice_systems::stablehlo::{GatherNd, Op, Program};
///
/// let indices = NdList::new([2, 2], [0, 2, 1, 0])?;
/// let program = Program::from(vec![Op::GatherNd(GatherNd { dimension: 1, indices })]);
/// assert_eq!(program.resolve(&[4, 2, 3])?, s![:, zip([0, 1], [2, 0])].resolve(&[4, 2, 3])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GatherNd {
    /// The first of the axes.
    pub dimension: i64,
    /// The points, before they are clamped. Each element of the last axis is the position on one of the axes.
    pub indices: NdList<i64>,
}

/// An operation of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::stablehlo::{Op, Slice};
///
/// let program = Slice::from_selection(&s![-1, ::-2].resolve(&[4, 5])?)?.op;
/// assert!(matches!(program.ops[..], [Op::Slice(_), Op::Reverse(_), Op::Reshape(_)]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Op {
    /// `slice`.
    Slice(Slice),
    /// `dynamic_slice`.
    DynamicSlice(DynamicSlice),
    /// `reverse`.
    Reverse(Reverse),
    /// `reshape`.
    Reshape(Reshape),
    /// `gather` with a list.
    Gather(Gather),
    /// `gather` with points.
    GatherNd(GatherNd),
}

/// A sequence of StableHLO operations. `Display` writes each operation on its own line.
pub type Program = crate::program::Program<Op>;

impl DynamicSlice {
    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let (slice_sizes, start_indices) = (self.slice_sizes.len(), self.start_indices.len());
        if slice_sizes != start_indices {
            return Err(VerifyError::Sizes {
                slice_sizes,
                start_indices,
            }
            .into());
        }
        let (entries, rank) = (slice_sizes, shape.len());
        if entries != rank {
            return Err(VerifyError::Rank { entries, rank }.into());
        }
        element_count(shape)?;
        let mut steps = Dims::new();
        for (axis, &len) in shape.iter().enumerate() {
            let size = self.slice_sizes[axis];
            let Some(selected) = usize::try_from(size).ok().filter(|&size| size <= len) else {
                return Err(VerifyError::Size { axis, size, len }.into());
            };
            let start = usize::try_from(self.start_indices[axis]).unwrap_or(0);
            steps.push(ResolvedStep::Keep(AxisRange::new(
                start.min(len - selected),
                1,
                selected,
            )));
        }
        Ok(Selection::from_steps(shape, steps)?)
    }

    /// Returns the spec that selects the same elements as the operation for all shapes that the operation accepts.
    /// There is no such spec if the start is above 0 and the size is not 0 on some axis, because the window is moved if
    /// that axis has fewer than `start + size` positions.
    pub(super) fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        let mut spec = DynSliceSpec::default();
        for (axis, (&start, &size)) in self.start_indices.iter().zip(&self.slice_sizes).enumerate()
        {
            if size < 0 {
                let len = usize::MAX;
                return Err(OperationError::from(VerifyError::Size { axis, size, len }).into());
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
}

impl Reverse {
    /// Returns a map from each axis to its index in `dimensions`. Checks first that no axis is negative, then that
    /// none is repeated, and then that all exist.
    pub(super) fn axes(&self, rank: usize) -> Result<BTreeMap<i64, usize>, OperationError> {
        let dimensions = || self.dimensions.iter().copied().enumerate();
        let out_of_range = |(item, axis)| OperationError::AxisOutOfRange { item, axis, rank };
        if let Some(negative) = dimensions().find(|&(_, axis)| axis < 0) {
            return Err(out_of_range(negative));
        }
        let mut positions = BTreeMap::new();
        for (second, axis) in dimensions() {
            if let Some(first) = positions.insert(axis, second) {
                let axis = usize::try_from(axis).unwrap_or(usize::MAX);
                return Err(OperationError::RepeatedAxis {
                    first,
                    second,
                    axis,
                });
            }
        }
        match dimensions().find(|&(_, axis)| index(axis, rank).is_none()) {
            Some(entry) => Err(out_of_range(entry)),
            None => Ok(positions),
        }
    }

    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let axes = self.axes(shape.len())?;
        reversed_axes(shape, |axis| axes.contains_key(&(axis as i64)))
    }
}

impl Gather {
    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        gather(shape, self.dimension, slice::from_ref(&self.indices))
    }
}

impl GatherNd {
    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        gather(
            shape,
            self.dimension,
            &lists_of_points(&self.indices, shape.len())?,
        )
    }
}

/// Returns the selection of the positions in `lists`, one list for each axis from `dimension` on. Positions are clamped.
fn gather(
    shape: &[usize],
    dimension: i64,
    lists: &[NdList<i64>],
) -> Result<Selection, OperationError> {
    let rank = shape.len();
    let first = usize::try_from(dimension).ok();
    let Some(first) = first.filter(|first| lists.len() <= rank.saturating_sub(*first)) else {
        let (item, axis) = (0, dimension);
        return Err(OperationError::AxisOutOfRange { item, axis, rank });
    };
    let empty_axis = |axis| {
        let (size, len) = (1, 0);
        OperationError::from(VerifyError::Size { axis, size, len })
    };
    if let Some(axis) = (first..first + lists.len()).find(|&axis| shape[axis] == 0) {
        return Err(empty_axis(axis));
    }
    let clamp = |index: i64, size: usize| match index {
        ..0 => Some(0),
        index => Some(usize::try_from(index).unwrap_or(usize::MAX).min(size - 1)),
    };
    select_positions(shape, first, lists, clamp, |axis, _, _| empty_axis(axis))
}

impl Reshape {
    pub(super) fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        let (expected, actual) = (element_count(shape)?, element_count(&self.shape)?);
        if expected != actual {
            return Err(VerifyError::Elements { expected, actual }.into());
        }
        Ok(reshaped(shape, &self.shape)?.ok_or(VerifyError::NotASlice)?)
    }
}
