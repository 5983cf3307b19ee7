//! Defines the trait [`Explain`], and implements it for Python slices.

use alloc::format;
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, ListSpec, Selection, SliceSpec};

use super::list;
use super::{Explanation, Notation};
use crate::error::OperationError;
use crate::masked_slice::MaskedSlice;
use crate::translate::error::TranslateError;
use crate::translate::spec::{shortest_spec, spec_of_selection};

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

pub(crate) fn explain_operation(
    system: &str,
    entries: Result<MaskedSlice<'_>, OperationError>,
    shape: &[usize],
    outcome: Result<Selection, OperationError>,
) -> Explanation {
    let explanation = Explanation::new(system, Notation::Masks, shape, outcome);
    explanation.with_slice(entries.as_ref().ok())
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
    if spec.has_lists() {
        return list::explain(spec, shape);
    }
    let outcome = spec.resolve(shape).map_err(OperationError::from);
    let explanation = Explanation::new(format!("x[{spec}]"), Notation::Python, shape, outcome);
    explanation.with_slice(Some(&MaskedSlice::of_spec(spec)))
}

/// Explains operations as the slice that is equivalent to them. `spec` is the equivalent spec for all shapes, if there
/// is one. Otherwise, a spec that is equivalent for this shape is created from the selection. If there is no such spec,
/// the explanation has no entries.
pub(crate) fn explain_as_spec(
    system: &str,
    spec: Result<DynSliceSpec, TranslateError>,
    shape: &[usize],
    outcome: Result<Selection, OperationError>,
) -> Explanation {
    let spec = outcome.as_ref().ok().and_then(|selection| {
        let spec = spec.or_else(|_| match selection.is_strided() {
            true => shortest_spec(selection),
            false => spec_of_selection(selection),
        });
        spec.ok()
    });
    match spec {
        Some(spec) => explain_spec(&spec, shape),
        None => {
            Explanation::new(system, Notation::NamedAxes, shape, outcome).with_columns(Vec::new())
        }
    }
}
