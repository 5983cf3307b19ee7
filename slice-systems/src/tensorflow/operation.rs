//! Implements `Display` and `Explain` for TensorFlow's `StridedSlice`.

use core::fmt::{self, Display};

use super::StridedSlice;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};
use crate::masked_slice::Keywords;

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (begin, end, strides) = (&self.begin, &self.end, &self.strides);
        let masks = Keywords(self.masks());
        write!(
            f,
            "tf.strided_slice(x, {begin:?}, {end:?}, {strides:?}{masks})"
        )
    }
}

impl Explain for StridedSlice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("TensorFlow's StridedSlice", self.checked(), shape, outcome)
    }
}
