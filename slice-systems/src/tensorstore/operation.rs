//! Implements `Display`, `Explain` and `Operation` for TensorStore's `IndexTransform`.

use core::fmt::{self, Display};

use slice_core::DynSliceSpec;

use super::{IndexTransform, OutputIndexMap};
use crate::explain::Explanation;
use crate::explain::systems::{Explain, explain_without_entries};
use crate::operation::Operation;

impl Display for OutputIndexMap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ts.OutputIndexMap(offset={}", self.offset)?;
        if let Some(dimension) = self.dimension() {
            write!(f, ", stride={}, input_dimension={dimension}", self.stride)?;
        }
        f.write_str(")")
    }
}

/// Displays the transform as an indexing expression `x[...]`, without its labels, and without distinguishing between
/// explicit and implicit bounds.
impl Display for IndexTransform {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_with_maps(f, &self.output)
    }
}

impl IndexTransform {
    /// Writes the transform, with `maps` in place of the transform's own maps.
    pub(super) fn write_with_maps(
        &self,
        f: &mut fmt::Formatter<'_>,
        maps: &[impl Display],
    ) -> fmt::Result {
        let (min, max) = (&self.input_inclusive_min, &self.input_exclusive_max);
        write!(
            f,
            "x[ts.IndexTransform(input_inclusive_min={min:?}, input_exclusive_max={max:?}, output=["
        )?;
        for (axis, map) in maps.iter().enumerate() {
            write!(f, "{}{map}", if axis > 0 { ", " } else { "" })?;
        }
        f.write_str("])]")
    }
}

impl Explain for IndexTransform {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let selection = self.resolve(shape);
        // If no spec is equivalent for all shapes, a spec that is equivalent for this shape is created from the
        // selection.
        let spec = selection.as_ref().ok().and_then(|selection| {
            let spec_for_shape = || Some(DynSliceSpec::from_selection(selection).ok()?.op);
            self.spec().ok().or_else(spec_for_shape)
        });
        match spec {
            Some(spec) => spec.explain(shape),
            None => explain_without_entries("TensorStore's IndexTransform", shape, selection),
        }
    }
}
