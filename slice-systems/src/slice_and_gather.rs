//! Creates programs for slices with lists: a slice, followed by a gather for each list.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use slice_core::{DynSliceSpec, Selection};

use crate::error::OperationError;
use crate::lists::gather::Gather;
use crate::lists::{Split, is_whole};
use crate::operation::Operation;
use crate::program::Program;
use crate::step::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

impl<Op> Translated<Program<Op>> {
    /// Returns a program that applies `slice`: one operation, or none if `slice` selects all of the input.
    pub(crate) fn of_slice<S: Operation<Written = S>>(
        slice: &Selection,
        as_op: impl FnOnce(S) -> Op,
    ) -> Result<Self, TranslateError> {
        let (mut ops, mut defects) = (Vec::new(), Vec::new());
        if !is_whole(slice) {
            let slice = S::from_selection(slice)?;
            defects = slice.defects;
            ops.push(as_op(slice.op));
        }
        let op = Program { ops };
        Ok(Translated { op, defects })
    }

    /// Appends an operation for each list in `split`. `gather` creates the operation from the indices and the axis.
    pub(crate) fn with_lists(
        mut self,
        split: &Split,
        gather: impl Fn(Vec<i64>, i64) -> Op,
    ) -> Self {
        let lists = split.lists().iter();
        let gathers = lists.map(|list| gather(list.indices(), list.axis_i64()));
        self.op.ops.extend(gathers);
        self
    }
}

/// Returns `call` with its first argument, `x`, replaced by `operand`.
pub(crate) fn with_operand(call: &impl Display, operand: &str) -> String {
    call.to_string().replacen("(x", &format!("({operand}"), 1)
}

/// A strided slice of a system whose programs consist of strided slices and gathers.
pub trait GatherAfterSlice: Operation<Written = Self> {
    /// The name of the gather, as in a call.
    const GATHER: &'static str;

    /// Returns the arguments of the gather after its operand, as in a call.
    fn gather_arguments(gather: &Gather) -> String;

    /// Applies a gather to an array with the shape `shape`. By default, negative indices count from the end.
    fn split_gather(gather: &Gather, shape: &[usize]) -> Result<Split, OperationError> {
        gather.split_from_either_end(shape)
    }

    /// Applies the strided slice to an array with the shape `shape`.
    fn resolve_slice(&self, shape: &[usize]) -> Result<Selection, OperationError>;
}

/// An operation of a program for a slice with lists: a strided slice, followed by a gather for each list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum SliceOrGather<S> {
    /// The system's strided slice.
    StridedSlice(S),
    /// The system's gather.
    Gather(Gather),
}

impl<S: GatherAfterSlice> Program<SliceOrGather<S>> {
    /// Returns the program for a slice with lists. The strided slice is omitted if it would select the whole input.
    pub(crate) fn from_split(split: &Split) -> Result<Translated<Self>, TranslateError> {
        let slice = Translated::of_slice(split.slice(), SliceOrGather::StridedSlice)?;
        let gather = |indices, axis| SliceOrGather::Gather(Gather { indices, axis });
        Ok(slice.with_lists(split, gather))
    }
}

impl<S: GatherAfterSlice> Step for SliceOrGather<S> {
    const SYSTEM: &'static str = S::SYSTEM.name;

    fn split(&self, shape: &[usize]) -> Result<Split, OperationError> {
        match self {
            SliceOrGather::StridedSlice(op) => op.resolve_slice(shape).map(Split::from),
            SliceOrGather::Gather(op) => S::split_gather(op, shape),
        }
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = S::GATHER;
        match self {
            SliceOrGather::StridedSlice(op) => op.to_spec(),
            SliceOrGather::Gather(_) => Err(TranslateError::List { operation }),
        }
    }

    fn call(&self, operand: &str) -> String {
        match self {
            SliceOrGather::StridedSlice(op) => with_operand(op, operand),
            SliceOrGather::Gather(op) => {
                format!("{}({operand}, {})", S::GATHER, S::gather_arguments(op))
            }
        }
    }
}
