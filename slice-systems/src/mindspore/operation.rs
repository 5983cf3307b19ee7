//! Implements `Display`, `Explain` and `Operation` for MindSpore's `StridedSlice`.

use core::fmt::{self, Display};

use super::StridedSlice;
use super::defects;
use super::program::Program;
use crate::bit_masks::Keywords;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};
use crate::operation::{Operation, System, delegate_to_inherent_methods};

/// Displays numbers as a Python tuple.
struct Tuple<'a>(&'a [i64]);

impl Display for Tuple<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        for (i, number) in self.0.iter().enumerate() {
            write!(f, "{}{number}", if i > 0 { ", " } else { "" })?;
        }
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [begin, end, strides] = [&self.begin, &self.end, &self.strides].map(|v| Tuple(v));
        let masks = Keywords(self.masks());
        write!(f, "ops.strided_slice(x, {begin}, {end}, {strides}{masks})")
    }
}

impl Explain for StridedSlice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("MindSpore's StridedSlice", self.checked(), shape, outcome)
    }
}

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        folder: "mindspore",
        name: "MindSpore",
        version: "2.10.0",
        defects: defects::ALL,
    };

    delegate_to_inherent_methods!(Written = Self, from_spec);
}
