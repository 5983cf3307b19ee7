//! What the expansion of `py!` calls. Not part of the API.

#[cfg(feature = "ndarray")]
pub use crate::ndarray::py;

/// An expression in a macro of its own, so that a syntax error in it stays there.
#[doc(hidden)]
#[macro_export]
macro_rules! __expression {
    ($expression:expr) => {
        $expression
    };
}
