//! Defines programs that consist of LiteRT operators: for slices with lists, and for simple slices that do not need
//! `STRIDED_SLICE`.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use slice_core::{AxisRange, DynSliceSpec, OutputAxis, Selection};

use super::{Gather, ReverseV2, Slice, StridedSlice, check_axes, check_int32};
use crate::axes::{REVERSED, entries_by_axis, spec_with_items};
use crate::error::OperationError;
use crate::lists::gather::{GatherNd, indices_text};
use crate::litert::error::KernelError;
use crate::operation::Operation;
use crate::slice_and_gather::with_operand;
use crate::step::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{items, reversed_output_axes};

/// An operator of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_systems::litert::{Gather, Op, Program};
///
/// let program = Program::from(vec![Op::Gather(Gather { indices: vec![2, 0].into(), axis: 1 })]);
/// assert_eq!(program.to_string(), "GATHER(x, [2, 0], axis=1)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Op {
    /// `STRIDED_SLICE`.
    StridedSlice(StridedSlice),
    /// `SLICE`.
    Slice(Slice),
    /// `REVERSE_V2`.
    ReverseV2(ReverseV2),
    /// `GATHER`.
    Gather(Gather),
    /// `GATHER_ND`.
    GatherNd(GatherNd),
}

/// A sequence of LiteRT operators.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Operation;
/// use slice_systems::lists::Operations;
/// use slice_systems::litert::{Program, StridedSlice};
///
/// let spec = s![1:, [2, 0]].to_dyn();
/// let program: Program = StridedSlice::from_spec_for_shape(&spec, &[4, 5])?.op;
/// assert_eq!(program.resolve(&[4, 5])?, spec.resolve(&[4, 5])?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type Program = crate::program::Program<Op>;

/// The name of the `GATHER` operator in error messages.
const GATHER: &str = "GATHER";

fn resolve_gather(gather: &Gather, shape: &[usize]) -> Result<Selection, OperationError> {
    check_int32("axis", &[gather.axis])?;
    check_axes(shape)?;
    gather.resolve_from_front(shape)
}

impl Step for Op {
    const SYSTEM: &'static str = "LiteRT";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::StridedSlice(op) => op.resolve(shape),
            Op::Slice(op) => op.resolve(shape),
            Op::ReverseV2(op) => op.resolve(shape),
            Op::Gather(op) => resolve_gather(op, shape),
            Op::GatherNd(op) => {
                check_axes(shape)?;
                op.resolve_from_front(shape)
            }
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        match self {
            Op::StridedSlice(op) => op.to_spec(),
            Op::Slice(op) => {
                let (operand, entries) = ("begin", op.begin.len());
                if entries != rank {
                    return Err(KernelError::OperandLength {
                        operand,
                        rank,
                        entries,
                    }
                    .into());
                }
                op.to_spec()
            }
            Op::ReverseV2(op) => {
                // `resolve` is called only to validate the axes, so the lengths do not matter.
                let _ = op.resolve(&[1].repeat(rank))?;
                let axes = entries_by_axis(&op.axis, rank)?;
                spec_with_items(rank, REVERSED, |axis| axes.contains_key(&axis))
            }
            Op::Gather(_) => Err(TranslateError::List { operation: GATHER }),
            Op::GatherNd(_) => {
                let operation = "GATHER_ND";
                Err(TranslateError::List { operation })
            }
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::StridedSlice(op) => with_operand(op, operand),
            Op::Slice(op) => with_operand(op, operand),
            Op::ReverseV2(op) => with_operand(op, operand),
            Op::Gather(Gather { indices, axis }) => {
                format!("GATHER({operand}, {}, axis={axis})", indices_text(indices))
            }
            Op::GatherNd(GatherNd { indices }) => {
                format!("GATHER_ND({operand}, {})", indices_text(indices))
            }
        }
    }
}

impl Slice {
    /// Returns a program that selects the same elements as `selection`, for arrays of its input shape, without
    /// `STRIDED_SLICE`. The program consists of a `SLICE`, followed by a `REVERSE_V2` for each group of adjacent axes
    /// with a negative step. Operators that would change nothing are omitted.
    ///
    /// # Errors
    ///
    /// * [`TranslateError::EmptyNewAxis`] if a new axis has length 0.
    /// * [`TranslateError::Missing`] if there is an index, a new axis, or a step other than 1 or -1.
    /// * [`TranslateError::Operation`] if an axis has more than `i32::MAX` elements, or if there are more than 8 axes
    ///   and some have a negative step.
    ///
    /// # Example
    ///
    /// ```
    /// use slice_core::s;
    /// use slice_systems::lists::Operations;
    /// use slice_systems::litert::Slice;
    ///
    /// let program = Slice::from_selection(&s![1:3, ::-1].resolve(&[4, 5])?)?.op;
    /// assert_eq!(program.to_string(), "REVERSE_V2(SLICE(x, [1, 0], [2, -1]), [1])");
    /// assert_eq!(program.to_spec_for_rank(2)?.to_string(), "1:3, ::-1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        check_axes(selection.input_shape())?;
        // `items` is called only to check that no new axis has length 0.
        items(selection, |range| range)?;
        let missing = |part| TranslateError::Missing {
            system: "LiteRT's SLICE",
            part,
            instead: "use STRIDED_SLICE",
        };
        let outputs = selection.output_axes().iter().enumerate();
        if !outputs
            .clone()
            .all(|(output, &axis)| axis == OutputAxis::Input(output))
        {
            return Err(missing("new axes or indices"));
        }
        if outputs.len() != selection.axes()?.len() {
            return Err(missing("indices"));
        }
        if selection
            .axes()?
            .iter()
            .any(|range| range.len() > 1 && range.step().unsigned_abs() != 1)
        {
            return Err(missing("steps other than 1 or -1"));
        }
        let mut ops = Vec::new();
        let ranges = selection.axes()?.iter().map(|range| range.ascending());
        // If a range extends to the end of its axis, its size is written as -1, which means the rest of the axis for
        // every shape.
        let size = |(range, &size): (AxisRange, &usize)| match range.len() {
            len if len > 0 && len == size - range.start() => -1,
            len => len as i64,
        };
        if selection.output_shape() != selection.input_shape() {
            ops.push(Op::Slice(Slice {
                begin: ranges.clone().map(|range| range.start() as i64).collect(),
                size: ranges.zip(selection.input_shape()).map(size).collect(),
            }));
        }
        let is_reversible = |&axis: &usize| selection.output_shape()[axis] > 1;
        // An empty result is not reversed, because that would have no effect, and `REVERSE_V2` may crash on an empty
        // array.
        let reversed = reversed_output_axes(selection).filter(|_| !selection.is_empty());
        let mut runs: Vec<Vec<i64>> = Vec::new();
        for axis in reversed.filter(is_reversible).map(|axis| axis as i64) {
            match runs.last_mut() {
                Some(run) if run.last() == Some(&(axis - 1)) => run.push(axis),
                _ => runs.push(Vec::from([axis])),
            }
        }
        for axis in runs {
            let op = ReverseV2 { axis };
            // `resolve` is called only to check that there are not too many axes.
            let _ = op.resolve(selection.output_shape())?;
            ops.push(Op::ReverseV2(op));
        }
        Ok(Translated {
            op: Program { ops },
            defects: Vec::new(),
        })
    }
}
