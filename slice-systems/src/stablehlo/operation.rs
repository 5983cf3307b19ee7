//! Implements `Display` and `Explain` for StableHLO's `slice`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::op::{Op, Program};
use super::{Slice, text};
use crate::explain::Explanation;
use crate::explain::systems::Explain;

/// Displays the operation as MLIR, without the types of the operand and the result.
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
