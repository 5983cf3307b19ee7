//! A third crate between `slice-core` and the one that slices.

pub use slice_core::{SliceSpec, s};

/// A macro whose own expansion slices.
#[macro_export]
macro_rules! columns {
    ($column:expr) => {
        $crate::s![:, $column]
    };
}
