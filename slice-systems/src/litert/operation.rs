//! Implements `Display` and `Explain` for LiteRT's `STRIDED_SLICE`.

use core::fmt::{self, Display};

use super::StridedSlice;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};
use crate::masked_slice::Keywords;

/// Displays the operator as a call, with its constant operands and its options.
impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, end, strides) = (&self.begin, &self.end, &self.strides);
        let masks = Keywords(self.masks());
        let offset = if self.offset { ", offset=True" } else { "" };
        write!(
            f,
            "STRIDED_SLICE(x, {begin:?}, {end:?}, {strides:?}{masks}{offset})"
        )
    }
}

impl Explain for StridedSlice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("LiteRT's STRIDED_SLICE", self.checked(), shape, outcome)
    }
}
