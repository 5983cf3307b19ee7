//! Implements `Display` and `Explain` for PyTorch's `slice.Tensor`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::Slice;
use super::op::{Op, Program};
use crate::explain::Explanation;
use crate::explain::systems::Explain;

impl Display for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.call_text("x"))
    }
}

impl Explain for Slice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let ops = Vec::from([Op::Slice(*self)]);
        Program { ops }.explain(shape)
    }
}
