//! Known wrong results of coremltools 9.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("Core ML", "coremltools 9.0", text)
}

/// All defects. No translation is affected.
pub(super) const ALL: &[Defect] = &[
    defect(
        "type inference stores a negative end before the axis as 0, so a reverse range loses element 0",
    ),
    defect(
        "type inference and constant folding give different lengths for bounds and indices outside the axis",
    ),
    defect("an index before the axis selects its first element"),
    defect("slice_by_size with size 0 folds to all remaining elements"),
];
