//! The operations of a slice with lists.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

#[cfg(feature = "serde")]
use slice_core::deserialize_fields;
use slice_core::{DynSliceSpec, Selection};

use super::StridedSlice;
use crate::error::OperationError;
use crate::lists::{Split, axis_from_either_end, is_whole, strided, taken_from_either_end};
use crate::program::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

/// MindSpore's `Gather` with a list of indices and without `batch_dims`.
///
/// Python equivalent: `mindspore.ops.gather(x, Tensor(indices), axis)`. On the CPU indices that are not in the axis are refused, unless nothing is read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gather {
    /// The indices; negative ones count from the end.
    pub indices: Vec<i64>,
    /// The axis; a negative one counts from the end.
    pub axis: i64,
}

#[cfg(feature = "serde")]
deserialize_fields!(Gather as "MindSpore's Gather", { indices: Vec<i64>, axis: i64 });

/// An operation of a [`Program`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Op {
    /// `ops.strided_slice`.
    StridedSlice(StridedSlice),
    /// `ops.gather`.
    Gather(Gather),
}

/// Several operations of MindSpore, one after another.
pub type Program = crate::program::Program<Op>;

impl Gather {
    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        let axis = axis_from_either_end(self.axis, shape.len())?;
        taken_from_either_end(shape, axis, &self.indices)
    }
}

impl Step for Op {
    const SYSTEM: &'static str = "MindSpore";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::StridedSlice(op) => op.resolve(shape),
            Op::Gather(op) => strided(&op.split(shape)?, "ops.gather"),
        }
    }

    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        match self {
            Op::StridedSlice(op) => op.resolve(shape).map(Split::from),
            Op::Gather(op) => op.split(shape),
        }
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        match self {
            Op::StridedSlice(op) => op.to_spec(),
            Op::Gather(_) => Err(TranslateError::List {
                operation: "ops.gather",
            }),
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            // `Display` writes the operand as `x`; replace it.
            Op::StridedSlice(op) => op.to_string().replacen("(x", &format!("({operand}"), 1),
            Op::Gather(Gather { indices, axis }) => {
                format!("ops.gather({operand}, Tensor({indices:?}), {axis})")
            }
        }
    }
}

/// A strided slice, if it is needed, and a gather for each list.
pub(super) fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
    let mut defects = Vec::new();
    let mut ops = Vec::new();
    if !is_whole(split.slice()) {
        let slice = StridedSlice::from_selection(split.slice())?;
        defects = slice.defects;
        ops.push(Op::StridedSlice(slice.op));
    }
    ops.extend(split.lists().iter().map(|list| {
        Op::Gather(Gather {
            indices: list.indices(),
            axis: list.number(),
        })
    }));
    let op = Program { ops };
    Ok(Translated { op, defects })
}
