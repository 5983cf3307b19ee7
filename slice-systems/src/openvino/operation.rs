//! Implements `Display` and `Explain` for OpenVINO's `StridedSlice`.

use core::fmt::{self, Display};

use super::StridedSlice;
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_operation};

impl Display for StridedSlice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "opset1.strided_slice(x, {:?}, {:?}",
            self.begin, self.end
        )?;
        if let Some(strides) = &self.strides {
            write!(f, ", {strides:?}")?;
        }
        // The first two masks have no default, so they are always written.
        write!(
            f,
            ", begin_mask={:?}, end_mask={:?}",
            self.begin_mask, self.end_mask
        )?;
        for (name, mask) in [
            ("new_axis_mask", &self.new_axis_mask),
            ("shrink_axis_mask", &self.shrink_axis_mask),
            ("ellipsis_mask", &self.ellipsis_mask),
        ] {
            if mask.iter().any(|&element| element != 0) {
                write!(f, ", {name}={mask:?}")?;
            }
        }
        f.write_str(")")
    }
}

impl Explain for StridedSlice {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let outcome = self.resolve(shape);
        explain_operation("OpenVINO's StridedSlice", self.checked(), shape, outcome)
    }
}
