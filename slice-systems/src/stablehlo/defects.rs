//! Known defects of StableHLO in jaxlib 0.10.2.

use crate::translate::defect::Defect;

/// All defects. No translation is affected, because none has such large strides.
pub(super) const ALL: &[Defect] = &[Defect::new(
    "StableHLO",
    "jaxlib 0.10.2",
    "XLA's CPU backend adds the stride to the number of elements in 64 bits; if the sum overflows, the backend \
           crashes or selects nothing, unlike the reference interpreter",
)];
