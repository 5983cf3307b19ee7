//! Creates programs for slices with lists: a slice, followed by a gather for each list.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use slice_core::{DynSliceSpec, Select, Selection};

use crate::error::OperationError;
use crate::lists::gather::{Gather, GatherNd, NegativeIndices, gather_of_list, indices_text};
use crate::lists::{ListOnAxes, Split, is_whole};
use crate::operation::Operation;
use crate::program::{Program, ProgramOperation};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

impl<Op> Translated<Program<Op>> {
    /// Returns a program that applies `slice`: one operation, or none if `slice` selects all of the input.
    pub(crate) fn of_slice<S: Operation<WithoutLists = S>>(
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

    /// Appends an operation for each list. `gather` creates the operation.
    pub(crate) fn with_lists(
        mut self,
        lists: &[ListOnAxes],
        gather: impl Fn(&ListOnAxes) -> Result<Op, TranslateError>,
    ) -> Result<Self, TranslateError> {
        for list in lists {
            self.op.ops.push(gather(list)?);
        }
        Ok(self)
    }
}

/// Returns `call` with its first argument, `x`, replaced by `operand`.
pub(crate) fn with_operand(call: &impl Display, operand: &str) -> String {
    call.to_string().replacen("(x", &format!("({operand}"), 1)
}

/// A strided slice of a system whose programs consist of strided slices and gathers.
pub trait GatherAfterSlice:
    Operation<WithoutLists = Self> + Select<Error = OperationError>
{
    /// The name of the gather, as in a call.
    const GATHER: &'static str;

    /// The name of the gather for points, as in a call.
    const GATHER_ND: &'static str;

    /// Returns the arguments of the gather after its operand, as in a call.
    fn gather_arguments(gather: &Gather) -> String;

    /// Returns the indices of the gather for points, as in a call.
    fn gather_nd_arguments(gather: &GatherNd) -> String {
        indices_text(&gather.indices)
    }

    /// The meaning of negative indices.
    const NEGATIVE_INDICES: NegativeIndices = NegativeIndices::CountFromEnd;
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
    /// The system's gather for points.
    GatherNd(GatherNd),
}

impl<S: GatherAfterSlice> Program<SliceOrGather<S>> {
    /// Returns the program for a slice with lists. The strided slice is omitted if it would select the whole input.
    pub(crate) fn from_spec(
        spec: &DynSliceSpec,
        shape: &[usize],
    ) -> Result<Translated<Self>, TranslateError> {
        let Split { slice, lists } = Split::of_spec(spec, shape)?;
        let program = Translated::of_slice(&slice, SliceOrGather::StridedSlice)?;
        program.with_lists(&lists, |list| {
            let (gather, gather_nd) = (SliceOrGather::Gather, SliceOrGather::GatherNd);
            gather_of_list(list, S::SYSTEM.name, gather, gather_nd)
        })
    }
}

impl<S: GatherAfterSlice> ProgramOperation for SliceOrGather<S> {
    const SYSTEM: &'static str = S::SYSTEM.name;

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        match self {
            SliceOrGather::StridedSlice(op) => op.select(shape),
            SliceOrGather::Gather(op) => op.resolve(shape, S::NEGATIVE_INDICES),
            SliceOrGather::GatherNd(op) => op.resolve(shape, S::NEGATIVE_INDICES),
        }
    }

    fn to_spec_for_rank(&self, _: usize) -> Result<DynSliceSpec, TranslateError> {
        let operation = match self {
            SliceOrGather::StridedSlice(op) => return op.to_spec(),
            SliceOrGather::Gather(_) => S::GATHER,
            SliceOrGather::GatherNd(_) => S::GATHER_ND,
        };
        Err(TranslateError::List { operation })
    }

    fn call(&self, operand: &str) -> String {
        match self {
            SliceOrGather::StridedSlice(op) => with_operand(op, operand),
            SliceOrGather::Gather(op) => {
                format!("{}({operand}, {})", S::GATHER, S::gather_arguments(op))
            }
            SliceOrGather::GatherNd(op) => {
                format!(
                    "{}({operand}, {})",
                    S::GATHER_ND,
                    S::gather_nd_arguments(op)
                )
            }
        }
    }
}
