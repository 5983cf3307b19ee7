//! Creates programs for slices with lists: a slice, followed by a gather for each list.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::Display;

use slice_core::Selection;

use crate::lists::{Split, is_whole};
use crate::operation::Operation;
use crate::program::Program;
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

/// Defines the operations of a system whose programs consist of a strided slice followed by gathers. The arguments are
/// the names of the system and of the two operations. The calling module must define the types `StridedSlice` and
/// `Gather`, and `Gather` must have the methods `split` and `call_text`.
macro_rules! strided_slice_and_gather {
    ($system:literal, $slice:literal, $gather:literal) => {
        /// An operation of a [`Program`].
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
        #[non_exhaustive]
        pub enum Op {
            #[doc = concat!("`", $slice, "`.")]
            StridedSlice(StridedSlice),
            #[doc = concat!("`", $gather, "`.")]
            Gather(Gather),
        }

        #[doc = concat!("A sequence of ", $system, " operations.")]
        pub type Program = $crate::program::Program<Op>;

        impl $crate::program::Step for Op {
            const SYSTEM: &'static str = $system;

            fn resolve(
                &self,
                shape: &[usize],
            ) -> Result<slice_core::Selection, $crate::error::OperationError> {
                match self {
                    Op::StridedSlice(op) => op.resolve(shape),
                    Op::Gather(op) => {
                        $crate::lists::gather::strided_selection(&op.split(shape)?, $gather)
                    }
                }
            }

            fn split(
                &self,
                shape: &[usize],
            ) -> Result<$crate::lists::Split, $crate::error::OperationError> {
                match self {
                    Op::StridedSlice(op) => op.resolve(shape).map($crate::lists::Split::from),
                    Op::Gather(op) => op.split(shape),
                }
            }

            fn to_spec_for_rank(
                &self,
                _: usize,
            ) -> Result<slice_core::DynSliceSpec, $crate::translate::error::TranslateError> {
                let operation = $gather;
                match self {
                    Op::StridedSlice(op) => op.to_spec(),
                    Op::Gather(_) => {
                        Err($crate::translate::error::TranslateError::List { operation })
                    }
                }
            }

            fn call(&self, operand: &str) -> alloc::string::String {
                match self {
                    Op::StridedSlice(op) => $crate::slice_and_gather::with_operand(op, operand),
                    Op::Gather(op) => op.call_text(operand),
                }
            }
        }
    };
}

pub(crate) use strided_slice_and_gather;
