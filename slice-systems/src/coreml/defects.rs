//! Known defects of coremltools 9.0.

use crate::translate::defect::Defect;

const fn defect(text: &'static str) -> Defect {
    Defect::new("Core ML", "coremltools 9.0", text)
}

/// All defects. No translation is affected, because translations contain only bounds within their axes, and never use
/// `slice_by_size`.
pub(super) const ALL: &[Defect] = &[
    defect(
        "in a reverse range, type inference replaces an end before the first element with 0, so element 0 is missing from the result",
    ),
    defect(
        "type inference and constant folding disagree on the length of the result if a bound or an index is outside the axis",
    ),
    defect("an index before the first element selects that element instead of causing an error"),
    defect(
        "if the inputs are constant, slice_by_size with a size of 0 returns all remaining elements instead of none",
    ),
];
