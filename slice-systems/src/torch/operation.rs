//! Implements `Display`, `Explain` and `Operation` for PyTorch's `slice.Tensor`.

use alloc::vec::Vec;
use core::fmt::{self, Display};

use super::op::{Op, Program};
use super::{Slice, defects};
use crate::explain::Explanation;
use crate::explain::systems::Explain;
use crate::operation::{Operation, System, delegate_to_inherent_methods};

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

impl Operation for Slice {
    const SYSTEM: System = System {
        folder: "torch",
        name: "PyTorch",
        version: "2.15.0",
        defects: defects::ALL,
    };

    delegate_to_inherent_methods!(Written = Program, from_spec);
}
