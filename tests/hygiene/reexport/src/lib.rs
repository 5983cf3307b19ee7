//! A third crate between `slice-core` and the one that slices.

pub use slice_core::{SliceSpec, py, s};

/// A macro whose own expansion slices.
#[macro_export]
macro_rules! columns {
    ($column:expr) => {
        $crate::s![:, $column]
    };
}

/// A macro whose own expansion is arithmetic with slices.
#[macro_export]
macro_rules! differences {
    ($x:expr) => {
        $crate::py!($x[1:] - $x[:-1])
    };
}
