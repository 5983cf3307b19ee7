//! Implements `Display`, `Explain` and `Operation` for Core ML's `slice_by_index`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::op::{Op, Program};
use super::{SliceByIndex, defects};
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::operation::{Operation, System, delegate_to_inherent_methods};
use crate::program::Step;

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

    delegate_to_inherent_methods!(Written = Program);
}
