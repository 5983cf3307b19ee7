//! Errors that PyTorch reports.

use alloc::boxed::Box;

use slice_core::DisplayShape;

/// The reason why a PyTorch operator cannot be applied. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError).
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[doc(hidden)]
pub enum AtenError {
    #[error("{operator}() cannot be applied to a 0-dim tensor")]
    Scalar { operator: &'static str },
    #[error(
        "slice step must be positive, but is {step} for dim {dim} (in x[...], for the item with index {dim}); use \
         flip to reverse an axis"
    )]
    Step { dim: i64, step: i64 },
    /// The value assigned to a slice does not have the slice's shape or, for `index_put`, does not broadcast to that
    /// shape.
    #[error(
        "expected src to have a size equal to the slice of self, but src has shape {}, and the slice has shape {}",
        DisplayShape(.actual), DisplayShape(.expected)
    )]
    Source {
        expected: Box<[usize]>,
        actual: Box<[usize]>,
    },
}
