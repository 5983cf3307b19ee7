//! Known wrong results of jaxlib 0.10.2.

use crate::translate::defect::Defect;

/// All defects. No translation has such strides.
pub(super) const ALL: &[Defect] = &[Defect::new(
    "StableHLO",
    "jaxlib 0.10.2",
    "XLA's CPU backend adds the stride to the number of elements in 64 bits: it dies or selects nothing where that \
           overflows; the reference interpreter is right",
)];
