//! Mistakes that PyTorch refuses.

use alloc::boxed::Box;
use core::fmt::{self, Display};

use slice_core::DisplayShape;

/// The reason why an operator of PyTorch cannot be applied, for errors that no other system has.
///
/// # Example
///
/// ```
/// use slice_ops::OperationError;
/// use slice_ops::torch::{AtenError, Slice};
///
/// let op = Slice { dim: 0, start: None, end: None, step: -1 };
/// assert_eq!(op.resolve(&[3]), Err(OperationError::Torch(AtenError::Step { dim: 0, step: -1 })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AtenError {
    /// The operator needs an axis, and the array has none.
    Scalar {
        /// The name of the operator.
        operator: &'static str,
    },
    /// A step is not above 0.
    Step {
        /// The axis as written, or the axis of the result so far.
        dim: i64,
        /// The step.
        step: i64,
    },
    /// The value written to a slice does not have the slice's shape.
    Source {
        /// The shape of the slice.
        expected: Box<[usize]>,
        /// The shape of the value.
        actual: Box<[usize]>,
    },
}

impl Display for AtenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            AtenError::Scalar { operator } => write!(
                f,
                "{operator}() cannot be applied to a 0-dim tensor: array is 0-dimensional"
            ),
            AtenError::Step { dim, step } => write!(
                f,
                "slice step must be positive, but dimension {dim} has step {step}; use flip to reverse a range"
            ),
            AtenError::Source {
                ref expected,
                ref actual,
            } => write!(
                f,
                "expected src to have a size equal to the slice of self: src has shape {}, the slice {}; nothing is broadcast",
                DisplayShape(actual),
                DisplayShape(expected)
            ),
        }
    }
}

impl core::error::Error for AtenError {}
