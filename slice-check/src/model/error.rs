//! The errors of reading and rewriting models.

use std::fmt;

use super::wire::WireError;
use crate::escaped::Escaped;

/// The reason why a model cannot be read or rewritten.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, ModelErrorKind};
///
/// let error = Model::from_bytes(b"# A text".to_vec()).unwrap_err();
/// assert_eq!(error.kind(), ModelErrorKind::Invalid);
/// assert_eq!(error.to_string(), "not an ONNX model: a field of unknown type at byte 0");
/// assert_eq!(format!("{error:?}"), error.to_string());
/// ```
// The message may contain names in the model.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", Escaped(.message))]
pub struct ModelError {
    kind: ModelErrorKind,
    message: String,
}

/// The kind of a [`ModelError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ModelErrorKind {
    /// A file cannot be read.
    Unreadable,
    /// The model is in no supported format, is damaged, or contradicts itself.
    Invalid,
    /// The model contains a part of its format that is not supported, or cannot be rewritten.
    Unsupported,
    /// The model exceeds a limit.
    TooLarge,
}

impl ModelErrorKind {
    pub(crate) fn error(self, message: impl Into<String>) -> ModelError {
        let message = message.into();
        ModelError {
            kind: self,
            message,
        }
    }
}

impl ModelError {
    /// Creates an error about an invalid model, as most errors are.
    pub(crate) fn invalid(message: impl Into<String>) -> Self {
        ModelErrorKind::Invalid.error(message)
    }

    pub(crate) fn of_kind(self, kind: ModelErrorKind) -> Self {
        ModelError { kind, ..self }
    }

    /// Returns the kind of the error.
    #[must_use]
    pub fn kind(&self) -> ModelErrorKind {
        self.kind
    }
}

/// Writes the message, so that `unwrap` and `expect` print it.
impl fmt::Debug for ModelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<WireError> for ModelError {
    fn from(error: WireError) -> Self {
        ModelError::invalid(format!("not {}: {error}", error.model))
    }
}
