//! What the expansion of `py!` and slice-zarr call. Not part of the API.

pub use crate::copy::new_memory::huge_pages;
#[cfg(feature = "ndarray")]
pub use crate::ndarray::py;
#[cfg(feature = "ndarray")]
pub use slice_macro::__py_in;

/// An expression in a macro of its own, so that a syntax error in it stays there.
#[doc(hidden)]
#[macro_export]
macro_rules! __expression {
    ($expression:expr) => {
        $expression
    };
}
