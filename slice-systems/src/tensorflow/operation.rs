//! Implements `Display`, `Explain` and `Operation` for TensorFlow's `StridedSlice`.

use core::fmt::{self, Display};

use super::StridedSlice;
use super::defects;
use super::program::Program;
use crate::bit_masks::Keywords;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};
use crate::operation::{Operation, System, delegate_to_inherent_methods};

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

impl Operation for StridedSlice {
    const SYSTEM: System = System {
        folder: "tensorflow",
        name: "TensorFlow",
        version: "2.21.0",
        defects: defects::ALL,
    };

    delegate_to_inherent_methods!(Written = Self, from_spec);
}
