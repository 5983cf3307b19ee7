//! Defines programs that consist of LiteRT operators: for slices with lists, and for simple slices that do not need
//! `STRIDED_SLICE`.

use alloc::format;
use alloc::string::String;

use slice_core::{DynSliceSpec, Selection};

use super::{ReverseV2, Slice, StridedSlice, check_int32};
use crate::axes::check_axes;
use crate::error::OperationError;
use crate::lists::gather::{Gather, GatherNd, NegativeIndices, indices_text};
use crate::litert::error::KernelError;
use crate::operation::Operation;
use crate::program::ProgramOperation;
use crate::slice_and_gather::with_operand;
use crate::translate::error::TranslateError;

/// An operator of a [`Program`].
///
/// # Example
///
/// ```
/// use slice_systems::lists::Gather;
/// use slice_systems::litert::{Op, Program};
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
pub type Program = crate::program::Program<Op>;

impl ProgramOperation for Op {
    const SYSTEM: &'static str = "LiteRT";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::StridedSlice(op) => op.resolve(shape),
            Op::Slice(op) => op.resolve(shape),
            Op::ReverseV2(op) => op.resolve(shape),
            Op::Gather(op) => {
                check_int32("axis", &[op.axis])?;
                check_axes(shape)?;
                op.resolve(shape, NegativeIndices::AreErrors)
            }
            Op::GatherNd(op) => {
                check_axes(shape)?;
                op.resolve(shape, NegativeIndices::AreErrors)
            }
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = match self {
            Op::StridedSlice(op) => return op.to_spec(),
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
                return op.to_spec();
            }
            Op::ReverseV2(op) => return op.reversed(rank)?.spec(),
            Op::Gather(_) => "GATHER",
            Op::GatherNd(_) => "GATHER_ND",
        };
        Err(TranslateError::List { operation })
    }

    fn call(&self, operand: &str) -> String {
        match self {
            Op::StridedSlice(op) => with_operand(op, operand),
            Op::Slice(Slice { begin, size }) => format!("SLICE({operand}, {begin:?}, {size:?})"),
            Op::ReverseV2(ReverseV2 { axis }) => format!("REVERSE_V2({operand}, {axis:?})"),
            Op::Gather(Gather { indices, axis }) => {
                format!("GATHER({operand}, {}, axis={axis})", indices_text(indices))
            }
            Op::GatherNd(GatherNd { indices }) => {
                format!("GATHER_ND({operand}, {})", indices_text(indices))
            }
        }
    }
}
