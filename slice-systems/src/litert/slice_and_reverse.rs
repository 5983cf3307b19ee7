//! Defines LiteRT's operators `SLICE` and `REVERSE_V2`.

use alloc::vec::Vec;

use slice_core::{AxisRange, DynSliceSpec, Item, ResolvedStep, Selection};

use super::check_int32;
use crate::axes::{ItemOnAxes, REVERSED, axis_at, check_axes, select_each_axis};
use crate::error::OperationError;
use crate::litert::error::KernelError;
use crate::translate::error::TranslateError;
use crate::translate::spec::WHOLE;

/// LiteRT's `SLICE`, which selects, on each axis, `size` elements starting at `begin`. A size of -1 selects the rest of
/// the axis.
///
/// Python equivalent: `x[begin[0]:begin[0] + size[0], ...]`, except that bounds beyond the axis are errors.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::lists::Operations;
/// use slice_systems::litert::{Op, Program, Slice};
///
/// let op = Slice { begin: vec![1, 0], size: vec![2, -1] };
/// assert_eq!(op.resolve(&[4, 3])?, s![1:3, :].resolve(&[4, 3])?);
/// let program = Program::from(vec![Op::Slice(op)]);
/// assert_eq!(program.to_spec_for_rank(2)?.to_string(), "1:3, :");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Slice {
    /// The first position on each axis.
    pub begin: Vec<i64>,
    /// The number of positions on each axis.
    pub size: Vec<i64>,
}

/// LiteRT's `REVERSE_V2`, which reverses the order of the elements along adjacent axes.
///
/// Python equivalent: `np.flip(x, axis)`.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::litert::ReverseV2;
///
/// let op = ReverseV2 { axis: vec![-1] };
/// assert_eq!(op.resolve(&[4, 3])?, s![:, ::-1].resolve(&[4, 3])?);
/// # Ok::<(), slice_systems::OperationError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct ReverseV2 {
    /// The reversed axes, in any order. Negative numbers count from the end.
    pub axis: Vec<i64>,
}

impl Slice {
    /// Applies the operator to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// * [`OperationError::System`] if a `begin` or a size does not fit in 32 bits, or if `begin` or `size` does not have one
    ///   entry for each axis.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape, or if an axis has
    ///   more than `i32::MAX` elements.
    /// * [`OperationError::System`], for each axis in order, if the `begin` is outside the axis, if the size is below -1, or if
    ///   the selected elements extend beyond the axis.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        self.check()?;
        for (operand, numbers) in [("begin", &self.begin), ("size", &self.size)] {
            let (rank, entries) = (shape.len(), numbers.len());
            if entries != rank {
                return Err(KernelError::OperandLength {
                    operand,
                    rank,
                    entries,
                }
                .into());
            }
        }
        check_axes(shape)?;
        select_each_axis(shape, |axis, len| {
            let (begin, size) = (self.begin[axis], self.size[axis]);
            let start = usize::try_from(begin).ok().filter(|&start| start <= len);
            let start = start.ok_or(KernelError::Begin { axis, begin, len })?;
            if size < -1 {
                return Err(KernelError::Size { axis, size }.into());
            }
            let selected = usize::try_from(size).unwrap_or(len - start);
            if selected > len - start {
                return Err(KernelError::BeginAndSize {
                    axis,
                    begin,
                    size,
                    len,
                }
                .into());
            }
            Ok(ResolvedStep::Keep(AxisRange::new(start, 1, selected)))
        })
    }

    /// Returns the spec that selects the same elements as the operator for all shapes that the operator accepts.
    pub(super) fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        self.check()?;
        if self.begin.len() != self.size.len() {
            let (rank, entries) = (self.begin.len(), self.size.len());
            let operand = "size";
            return Err(KernelError::OperandLength {
                operand,
                rank,
                entries,
            }
            .into());
        }
        let mut spec = DynSliceSpec::default();
        for (axis, (&begin, &size)) in self.begin.iter().zip(&self.size).enumerate() {
            if begin < 0 {
                let len = i32::MAX as usize;
                return Err(KernelError::Begin { axis, begin, len }.into());
            }
            if size < -1 {
                return Err(KernelError::Size { axis, size }.into());
            }
            spec.push(match (begin, size) {
                (0, -1) => WHOLE,
                _ => Item::Range {
                    begin: Some(begin),
                    end: (size >= 0).then_some(begin + size),
                    step: 1,
                },
            })?;
        }
        Ok(spec)
    }

    fn check(&self) -> Result<(), KernelError> {
        check_int32("begin", &self.begin)?;
        check_int32("size", &self.size)
    }
}

/// The maximum number of axes that `REVERSE_V2` supports.
const MAX_REVERSE_RANK: usize = 8;

impl ReverseV2 {
    /// Applies the operator to an array with the shape `shape`.
    ///
    /// # Errors
    ///
    /// * [`OperationError::System`] if an element of `axis` does not fit in 32 bits.
    /// * [`SliceError::TooLarge`](slice_core::SliceError::TooLarge) if no array can have this shape, or if an axis has
    ///   more than `i32::MAX` elements.
    /// * [`OperationError::System`] if no axes are given, or if the input has more than 8 axes.
    /// * [`OperationError::AxisOutOfRange`] if a given axis does not exist, or if more axes are given than the input
    ///   has.
    /// * [`OperationError::System`] if the given axes are not adjacent, or if one is repeated.
    pub fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        check_int32("axis", &self.axis)?;
        check_axes(shape)?;
        self.reversed(shape.len())?.select(shape)
    }

    /// Performs the checks that do not depend on the lengths of the axes, and returns the reversed axes.
    pub(super) fn reversed(&self, rank: usize) -> Result<ItemOnAxes, OperationError> {
        check_int32("axis", &self.axis)?;
        if self.axis.is_empty() {
            return Err(KernelError::NoAxes.into());
        }
        if rank > MAX_REVERSE_RANK {
            let limit = MAX_REVERSE_RANK;
            return Err(KernelError::Rank { rank, limit }.into());
        }
        if self.axis.len() > rank {
            let (item, axis) = (rank, self.axis[rank]);
            return Err(OperationError::AxisOutOfRange { item, axis, rank });
        }
        let axes = self.axis.iter().enumerate();
        let axes = axes.map(|(item, &axis)| axis_at(item, axis, rank));
        let mut axes = axes.collect::<Result<Vec<usize>, _>>()?;
        axes.sort_unstable();
        if axes.windows(2).any(|pair| pair[0] + 1 != pair[1]) {
            return Err(KernelError::NotAdjacent.into());
        }
        let (item, axes) = (REVERSED, axes.into_iter().collect());
        Ok(ItemOnAxes { item, axes })
    }
}
