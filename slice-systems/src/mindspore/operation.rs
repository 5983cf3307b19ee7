//! Implements `Display` and `Explain` for MindSpore's `StridedSlice`.

use core::fmt::{self, Display};

use super::StridedSlice;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};
use crate::masked_slice::Keywords;

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
