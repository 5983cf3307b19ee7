//! Defines the trait [`Explain`], and implements it for Python slices.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use slice_core::{DynSliceSpec, ItemMasks, Masks, Selection, SliceSpec};

use super::build::Subject;
use super::{Explanation, Notation};
use crate::entries::StridedEntries;
use crate::error::OperationError;

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

/// The vectors and masks of a spec, as strided entries.
pub(super) struct EncodedSpec<'a> {
    begin: &'a [i64],
    end: &'a [i64],
    strides: &'a [i64],
    masks: Masks,
}

impl<'a> EncodedSpec<'a> {
    pub(super) fn of(spec: &'a DynSliceSpec) -> Self {
        EncodedSpec {
            begin: spec.begin(),
            end: spec.end(),
            strides: spec.strides(),
            masks: spec.masks(),
        }
    }
}

impl StridedEntries for EncodedSpec<'_> {
    fn len(&self) -> usize {
        self.begin.len()
    }

    fn item_masks(&self, item: usize) -> ItemMasks {
        self.masks.item_masks(item)
    }

    fn numbers(&self, item: usize) -> (i64, i64, i64) {
        (self.begin[item], self.end[item], self.strides[item])
    }
}

/// Returns the output shape as a vector.
pub(crate) fn shape_of(selection: Selection) -> Vec<usize> {
    selection.output_shape().to_vec()
}

fn explain_spec(
    text: String,
    encoded: &EncodedSpec<'_>,
    shape: &[usize],
    outcome: Result<Selection, slice_core::SliceError>,
) -> Explanation {
    let subject = Subject {
        name: format!("x[{text}]"),
        notation: Notation::Python,
        shape,
        outcome: outcome.map(shape_of).map_err(OperationError::from),
    };
    subject.explain(Some(encoded))
}

pub(crate) fn explain_operation(
    system: &str,
    entries: Result<impl StridedEntries, OperationError>,
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
        let encoded = EncodedSpec {
            begin: self.begin(),
            end: self.end(),
            strides: self.strides(),
            masks: self.masks(),
        };
        explain_spec(self.to_string(), &encoded, shape, self.resolve(shape))
    }
}

impl Explain for DynSliceSpec {
    fn explain(&self, shape: &[usize]) -> Explanation {
        let encoded = EncodedSpec::of(self);
        explain_spec(self.to_string(), &encoded, shape, self.resolve(shape))
    }
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
