//! What the operations of all systems have in common.

use slice_core::{DynSliceSpec, Selection};

use crate::translate::defect::Translated;
use crate::translate::error::TranslateError;
use crate::translate::spec::{items, shortest};

/// An operation of a system.
pub trait Operation: Sized {
    /// The operation that selects this of an array of the selection's shape.
    ///
    /// # Errors
    ///
    /// [`TranslateError::EmptyNewAxis`]; [`TranslateError::Invalid`] for a selection with too many axes.
    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError>;
}

/// Python, written as simply as the shape allows.
///
/// # Example
///
/// ```
/// use slice_core::{DynSliceSpec, s};
/// use slice_ops::Operation;
///
/// let rows = s![1:4].resolve(&[6, 2])?;
/// let both = rows.compose(&s![::-1, 0, newaxis].resolve(rows.output_shape())?)?;
/// assert_eq!(DynSliceSpec::from_selection(&both)?.op.to_string(), "3:0:-1, 0, None");
///
/// let last = s![:, ::1, :, -1].resolve(&[0, 2, 3, 4])?;
/// assert_eq!(DynSliceSpec::from_selection(&last)?.op.to_string(), "..., 3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
impl Operation for DynSliceSpec {
    fn from_selection(selection: &Selection) -> Result<Translated<Self>, TranslateError> {
        Ok(Translated {
            op: DynSliceSpec::from_items(shortest(items(selection, |range| range)?))?,
            defects: alloc::vec::Vec::new(),
        })
    }
}
