//! Errors that PyTorch reports.

use alloc::boxed::Box;

use slice_core::DisplayShape;

/// The reason why a PyTorch operator cannot be applied. Errors that other systems also report are variants of
/// [`OperationError`](crate::OperationError).
///
/// # Example
///
/// ```
/// use slice_systems::OperationError;
/// use slice_systems::torch::{AtenError, Slice};
///
/// let op = Slice { dim: 0, start: None, end: None, step: -1 };
/// assert_eq!(op.resolve(&[3]), Err(OperationError::Torch(AtenError::Step { dim: 0, step: -1 })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum AtenError {
    /// The operator needs an axis, but the array has none.
    #[error("{operator}() cannot be applied to a 0-dim tensor")]
    Scalar {
        /// The name of the operator.
        operator: &'static str,
    },
    /// A step is not positive.
    #[error(
        "slice step must be positive, but is {step} for dim {dim} (in x[...], for the item with index {dim}); use \
         flip to reverse an axis"
    )]
    Step {
        /// For `slice.Tensor`, the axis as written. For an indexing expression such as `x[1:, ::2]`, the index of the
        /// item, counted from 0.
        dim: i64,
        /// The step.
        step: i64,
    },
    /// The value assigned to a slice does not have the slice's shape or, for `index_put`, does not broadcast to that
    /// shape.
    #[error(
        "expected src to have a size equal to the slice of self, but src has shape {}, and the slice has shape {}",
        DisplayShape(.actual), DisplayShape(.expected)
    )]
    Source {
        /// The shape of the slice.
        expected: Box<[usize]>,
        /// The shape of the value.
        actual: Box<[usize]>,
    },
}
