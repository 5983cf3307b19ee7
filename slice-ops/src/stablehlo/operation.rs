//! Implements `Operation` for StableHLO's `slice`: displays it as MLIR, explains, resolves and translates it.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use slice_core::{DynSliceSpec, Selection};

use super::op::{Op, Program};
use super::{Slice, defects, text};
use crate::error::OperationError;
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::lists::Split;
use crate::operation::{Operation, System};
use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;

/// Omits the types of operand and result.
impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text::call(&Op::Slice(self.clone()), "%x"))
    }
}

impl Explain for Slice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::Slice(self.clone())]);
        Program { ops }.explain(shape)
    }
}

impl Operation for Slice {
    const SYSTEM: System = System {
        folder: "stablehlo",
        name: "StableHLO",
        version: "jaxlib 0.10.2",
        defects: defects::ALL,
    };

    type Written = Program;
    type WithLists = Program;

    fn from_split(split: &Split) -> Result<Translated<Program>, TranslateError> {
        Slice::from_split(split)
    }

    fn resolve(&self, shape: &[usize]) -> Result<Selection, OperationError> {
        Slice::resolve(self, shape)
    }

    fn to_spec(&self) -> Result<DynSliceSpec, TranslateError> {
        Slice::to_spec(self)
    }

    fn from_spec(_: &DynSliceSpec) -> Result<Translated<Program>, TranslateError> {
        let system = "StableHLO";
        Err(TranslateError::NeedsShape { system })
    }

    fn from_selection(selection: &Selection) -> Result<Translated<Program>, TranslateError> {
        Slice::from_selection(selection)
    }
}
