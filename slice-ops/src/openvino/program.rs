//! The operations of a slice with lists.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

#[cfg(feature = "serde")]
use slice_core::deserialize_fields;
use slice_core::{DynSliceSpec, Selection};

use super::{StridedSlice, defects};
use crate::error::OperationError;
use crate::lists::{Split, axis_from_either_end, is_whole, strided, taken_from_either_end};
use crate::program::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

/// OpenVINO's `Gather-8` with a list of indices and without `batch_dims`.
///
/// Python equivalent: `openvino.opset8.gather(x, indices, axis)`. OpenVINO does not refuse
/// indices that are not in the axis: in their place are zeros, or memory outside of the array. They are errors here.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Gather {
    /// The indices, negative ones counted from the end.
    pub indices: Vec<i64>,
    /// The axis; a negative one counts from the end.
    pub axis: i64,
}

#[cfg(feature = "serde")]
deserialize_fields!(Gather as "OpenVINO's Gather", { indices: Vec<i64>, axis: i64 });

/// An operation of a [`Program`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Op {
    /// `opset1.strided_slice`.
    StridedSlice(StridedSlice),
    /// `opset8.gather`.
    Gather(Gather),
}

/// Several operations of OpenVINO, one after another.
pub type Program = crate::program::Program<Op>;

impl Gather {
    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        let axis = axis_from_either_end(self.axis, shape.len())?;
        taken_from_either_end(shape, axis, &self.indices)
    }
}

impl Step for Op {
    const SYSTEM: &'static str = "OpenVINO";

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            Op::StridedSlice(op) => op.resolve(shape),
            Op::Gather(op) => strided(&op.split(shape)?, "opset8.gather"),
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
                operation: "opset8.gather",
            }),
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            // The text is written for `x`, which comes first.
            Op::StridedSlice(op) => op.to_string().replacen("(x", &format!("({operand}"), 1),
            Op::Gather(Gather { indices, axis }) => {
                format!("opset8.gather({operand}, {indices:?}, {axis})")
            }
        }
    }
}

/// A strided slice, if it is needed, and a gather for each list.
pub(super) fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
    let mut found = Vec::new();
    let mut ops = Vec::new();
    if !is_whole(split.slice()) {
        let slice = StridedSlice::from_selection(split.slice())?;
        found = slice.defects;
        ops.push(Op::StridedSlice(slice.op));
    }
    ops.extend(split.lists().iter().map(|list| {
        Op::Gather(Gather {
            indices: list.indices(),
            axis: list.number(),
        })
    }));
    if !split.lists().is_empty() && split.resolve()?.is_empty() {
        found.push(defects::GATHER_OF_NOTHING);
    }
    let op = Program { ops };
    Ok(Translated { op, defects: found })
}
