//! Re-exports the macros of `slice-core` for crates that use these macros without a dependency on `slice-core`.

pub use slice_core::{SliceSpec, named, py, s};
pub use slice_hygiene_procedural::{forwarded, substituted};

#[macro_use]
mod define;
mod arrays;
mod fragments;

/// Expands to a slice.
#[macro_export]
macro_rules! columns {
    ($column:expr) => {
        $crate::s![:, $column]
    };
}

/// Expands to arithmetic with slices.
#[macro_export]
macro_rules! differences {
    ($x:expr) => {
        $crate::py!($x[1:] - $x[:-1])
    };
}
