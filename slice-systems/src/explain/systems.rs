//! Defines the trait [`Explain`], and implements it for Python slices.

use alloc::format;
use alloc::string::ToString;
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, ListSpec, Selection, SliceSpec};

use super::build::Subject;
use super::list;
use super::{Explanation, Notation};
use crate::error::OperationError;
use crate::masked_slice::MaskedSlice;

/// A Python slice, or an operation of a system, whose effect can be explained.
///
/// # Example
///
/// ```
/// use slice_core::s;
/// use slice_systems::Explain;
///
/// let explanation = s![::2].explain(&[5]);
/// assert_eq!(explanation.sentences()[1], "`::2` takes positions 0, 2, 4 of axis 0, which has length 5.");
/// ```
pub trait Explain {
    /// Explains what is selected from an array with the shape `shape`. The module [`explain`](crate::explain) describes
    /// the parts of an explanation.
    #[must_use]
    fn explain(&self, shape: &[usize]) -> Explanation;
}

/// Returns the output shape as a vector.
pub(crate) fn shape_of(selection: Selection) -> Vec<usize> {
    selection.output_shape().to_vec()
}

pub(crate) fn explain_operation(
    system: &str,
    entries: Result<MaskedSlice<'_>, OperationError>,
    shape: &[usize],
    outcome: Result<Selection, OperationError>,
) -> Explanation {
    let subject = Subject {
        name: system.to_string(),
        notation: Notation::Masks,
        shape,
        outcome: outcome.map(shape_of),
    };
    subject.explain(entries.as_ref().ok())
}

impl<const M: usize, K> Explain for SliceSpec<M, K> {
    fn explain(&self, shape: &[usize]) -> Explanation {
        explain_spec(&self.to_dyn(), shape)
    }
}

impl<const M: usize, K> Explain for ListSpec<'_, M, K> {
    fn explain(&self, shape: &[usize]) -> Explanation {
        explain_spec(&self.to_dyn(), shape)
    }
}

/// Explains a Python slice.
pub(crate) fn explain_spec(spec: &DynSliceSpec, shape: &[usize]) -> Explanation {
    if !spec.is_strided() {
        return list::explain(spec, shape);
    }
    let subject = Subject {
        name: format!("x[{spec}]"),
        notation: Notation::Python,
        shape,
        outcome: spec
            .resolve(shape)
            .map(shape_of)
            .map_err(OperationError::from),
    };
    subject.explain(Some(&MaskedSlice::of_spec(spec)))
}

/// Returns an explanation without entries, for an operation whose effect cannot be attributed to individual entries.
pub(crate) fn explain_without_entries<E: Into<OperationError>>(
    system: &str,
    shape: &[usize],
    outcome: Result<Selection, E>,
) -> Explanation {
    let subject = Subject {
        name: system.to_string(),
        notation: Notation::NamedAxes,
        shape,
        outcome: outcome.map(shape_of).map_err(Into::into),
    };
    subject.with_columns(Vec::new())
}
