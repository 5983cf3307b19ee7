//! Core ML's operation as a common `Operation`: written as a call, explained, resolved and translated.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Selection};

use super::op::{Op, Program};
use super::{SliceByIndex, defects};
use crate::error::OperationError;
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::Split;
use crate::operation::{Operation, System};
use crate::program::Step;
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

impl Display for SliceByIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Op::SliceByIndex(self.clone()).call("x"))
    }
}

impl Explain for SliceByIndex {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::SliceByIndex(self.clone())]);
        Program { ops }.explain(shape)
    }
}

impl Operation for SliceByIndex {
    const SYSTEM: System = System {
        folder: "coreml",
        name: "Core ML",
        version: "coremltools 9.0",
        defects: defects::ALL,
    };

    type Written = Program;
    type WithLists = Program;

    fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
        SliceByIndex::from_split(split)
    }

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        SliceByIndex::resolve(self, shape)
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        SliceByIndex::to_spec(self)
    }

    fn from_spec(_: &DynSliceSpec) -> Result<Translated<Program>, TranslateError> {
        let system = "Core ML";
        Err(TranslateError::NeedsShape { system })
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        SliceByIndex::from_selection(selection)
    }
}
