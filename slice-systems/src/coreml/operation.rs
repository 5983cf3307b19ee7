//! Implements `Display` and `Explain` for Core ML's `slice_by_index`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::SliceByIndex;
use super::op::{Op, Program};
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::step::Step;

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
