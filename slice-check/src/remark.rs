//! Defines what a report says about a slice.

use std::fmt;

use serde::Serialize;

/// A mistake in an operation, or a note on a fact that is not a mistake. `Display` writes it as text, and it is serialized
/// as this text.
///
/// # Examples
///
/// ```
/// use slice_check::{Model, RemarkKind};
///
/// let report = Model::read("tests/models/sentinels.onnx".as_ref())?.check(&[])?;
/// let mistake = &report.slices[3].mistakes[0];
/// assert_eq!(mistake.kind(), RemarkKind::Runtime);
/// assert!(mistake.to_string().starts_with("ONNX Runtime treats an end of INT_MAX"));
/// # Ok::<(), slice_check::ModelError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Remark {
    #[serde(skip)]
    kind: RemarkKind,
    pub(crate) text: String,
}

/// The kind of a [`Remark`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RemarkKind {
    /// The operation is invalid, or does not fit the shape of its input.
    Invalid,
    /// The model declares a different shape for the output.
    DeclaredShape,
    /// A program that runs the model crashes, or differs from the specification of the format.
    Runtime,
    /// The operation was not examined.
    NotExamined,
    /// A slice without a list selects the same elements.
    EvenlySpaced,
    /// The slice selects everything.
    Whole,
    /// The slice selects nothing.
    Empty,
    /// The input is a constant.
    ConstantInput,
    /// The slice can be merged with the slices before it.
    Merged,
}

impl RemarkKind {
    pub(crate) fn remark(self, text: impl Into<String>) -> Remark {
        let text = text.into();
        Remark { kind: self, text }
    }
}

impl Remark {
    pub(crate) fn invalid(text: impl ToString) -> Self {
        RemarkKind::Invalid.remark(text.to_string())
    }

    /// Returns the kind of the remark.
    #[must_use]
    pub fn kind(&self) -> RemarkKind {
        self.kind
    }
}

impl fmt::Display for Remark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
