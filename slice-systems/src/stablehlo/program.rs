//! Implements [`ProgramOperation`] for StableHLO's operations.

use alloc::string::String;
use core::{fmt, slice};

use slice_core::{DynSliceSpec, Selection};

use super::op::{Op, dynamic_slice, dynamic_slice_spec, gather, reshape, reversed};
use super::{check_rank, text};
use crate::error::OperationError;
use crate::lists::gather::lists_of_points;
use crate::operation::Operation;
use crate::program::ProgramOperation;
use crate::translate::error::TranslateError;

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
        text::call(self, operand)
    }

    fn write(ops: &[Self], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text::write_lines(ops, f)
    }
}
