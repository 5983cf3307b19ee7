//! Implements [`Step`] for StableHLO's operations.

use alloc::string::String;
use core::fmt;

use slice_core::{DynSliceSpec, Selection};

use super::op::Op;
use super::text;
use crate::axes::{REVERSED, spec_with_items};
use crate::error::OperationError;
use crate::operation::Operation;
use crate::stablehlo::error::VerifyError;
use crate::step::Step;
use crate::translate::error::TranslateError;

impl Step for Op {
    const SYSTEM: &'static str = "StableHLO";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::Slice(op) => op.resolve(shape),
            Op::DynamicSlice(op) => op.resolve(shape),
            Op::Reverse(op) => op.resolve(shape),
            Op::Reshape(op) => op.resolve(shape),
            Op::Gather(op) => op.resolve(shape),
            Op::GatherNd(op) => op.resolve(shape),
        }
    }

    fn to_spec_for_rank(&self, rank: usize) -> Result<DynSliceSpec, TranslateError> {
        let check = |entries: usize| match entries == rank {
            true => Ok(()),
            false => Err(OperationError::from(VerifyError::Rank { entries, rank })),
        };
        match self {
            Op::Slice(op) => {
                check(op.strides.len())?;
                op.to_spec()
            }
            Op::DynamicSlice(op) => {
                check(op.slice_sizes.len())?;
                check(op.start_indices.len())?;
                op.to_spec()
            }
            Op::Reverse(op) => {
                let axes = op.axes(rank)?;
                spec_with_items(rank, REVERSED, |axis| axes.contains_key(&(axis as i64)))
            }
            Op::Gather(_) | Op::GatherNd(_) => Err(TranslateError::List {
                operation: "gather",
            }),
            Op::Reshape(_) => {
                let (operation, axis) = ("reshape", 0);
                Err(TranslateError::DependsOnLength { operation, axis })
            }
        }
    }

    fn call(&self, operand: &str) -> String {
        text::call(self, operand)
    }

    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_lines(ops, f)
    }
}
