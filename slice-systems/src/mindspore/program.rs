//! Defines MindSpore's operations for a slice with lists: a `StridedSlice`, followed by a `Gather` for each list.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::StridedSlice;
use crate::error::OperationError;
use crate::lists::Split;
use crate::lists::gather::{axis_from_either_end, resolve_gather_from_either_end};
use crate::slice_and_gather::strided_slice_and_gather;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

/// MindSpore's `Gather` with a list of indices and without `batch_dims`.
///
/// Python equivalent: `mindspore.ops.gather(x, Tensor(indices), axis)`. On the CPU, MindSpore rejects indices outside
/// the axis unless the result is empty; this crate always rejects them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Gather {
    /// The indices. Negative indices count from the end.
    pub indices: Vec<i64>,
    /// The axis. A negative number counts from the end.
    pub axis: i64,
}

impl Gather {
    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        let axis = axis_from_either_end(self.axis, shape.len())?;
        resolve_gather_from_either_end(shape, axis, &self.indices)
    }

    fn call_text(&self, operand: &str) -> String {
        let Gather { indices, axis } = self;
        format!("ops.gather({operand}, Tensor({indices:?}), {axis})")
    }
}

strided_slice_and_gather!("MindSpore", "ops.strided_slice", "ops.gather");

impl StridedSlice {
    /// Returns the program for a slice with lists: a strided slice, followed by a gather for each list. The strided
    /// slice is omitted if it would select the whole input.
    pub(super) fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
        let slice = Translated::of_slice(split.slice(), Op::StridedSlice)?;
        Ok(slice.with_lists(split, |indices, axis| Op::Gather(Gather { indices, axis })))
    }
}
