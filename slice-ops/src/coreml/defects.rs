//! Known wrong results of coremltools 9.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect {
        system: "Core ML",
        version: "coremltools 9.0",
        text,
    }
}

/// All defects. No translation is affected.
pub(super) const ALL: &[Defect] = &[
    defect(
        "type inference writes a negative end below the axis into the model as 0, so that a range backwards loses element 0",
    ),
    defect(
        "type inference and folding give other lengths for bounds and indices that are not in the axis",
    ),
    defect("an index before the axis is its first element"),
    defect("slice_by_size with a size of 0 folds to all that is left"),
];
