//! Views of Rust slices, Rust arrays and `Vec`s, which are treated as arrays with one axis.

use ndarray::{ArrayView1, ArrayViewMut1};

use crate::error::SliceError;
use crate::resolve::shape::element_count;

/// Returns a view of all elements, or an error if there are more elements than an array can have. In that case, which
/// is possible only for zero-sized elements, ndarray itself would panic.
#[inline]
pub(crate) fn view<A>(elements: &[A]) -> Result<ArrayView1<'_, A>, SliceError> {
    element_count(&[elements.len()])?;
    Ok(elements.into())
}

/// Mutable version of [`view`].
#[inline]
pub(crate) fn view_mut<A>(elements: &mut [A]) -> Result<ArrayViewMut1<'_, A>, SliceError> {
    element_count(&[elements.len()])?;
    Ok(elements.into())
}
