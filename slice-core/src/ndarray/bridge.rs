//! Functions that apply a spec to the shape and strides of an array, and return a view.

#![allow(unsafe_code)]

use ndarray::{ArrayRef, ArrayView, ArrayViewMut, Dimension};

use super::rank::SliceFor;
use super::view_parts::ViewParts;
use crate::error::SliceError;

/// Returns a view of the selected elements.
#[inline(always)]
pub(super) fn view<'a, A, D: Dimension, I: SliceFor<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(array.shape(), array.strides())?;
    // SAFETY: the pointer belongs to the array with this shape and these strides, which is borrowed for `'a`.
    Ok(unsafe { parts.view(array.as_ptr()) })
}

/// Returns a view, as [`view`] does, but panics on an error. The panic reports the location of the innermost caller
/// without `#[track_caller]`. The view is not returned in a `Result`, because moving the `Result` would take as long as
/// creating a view of dynamic rank.
#[inline(always)]
#[track_caller]
pub(super) fn view_or_panic<'a, A, D: Dimension, I: SliceFor<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> ArrayView<'a, A, I::OutDim> {
    let rank = match spec.rank(array.shape()) {
        Ok(rank) => rank,
        Err(error) => error.panic(),
    };
    let mut parts = ViewParts::zeros(rank);
    let result = parts.fill(array.strides(), |builder| {
        spec.steps(array.shape(), builder)
    });
    if let Err(error) = result {
        error.panic()
    }
    // SAFETY: see `view`.
    unsafe { parts.view(array.as_ptr()) }
}

/// Mutable version of [`view`].
#[inline(always)]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceFor<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(array.shape(), array.strides())?;
    // SAFETY: the pointer belongs to the array with this shape and these strides, which is borrowed mutably for `'a`.
    Ok(unsafe { parts.view_mut(array.as_mut_ptr()) })
}

/// Slices a view without shortening its lifetime.
#[inline(always)]
pub(super) fn slice_view<'a, A, D: Dimension, I: SliceFor<D>>(
    view: ArrayView<'a, A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(view.shape(), view.strides())?;
    // SAFETY: the pointer belongs to the view with this shape and these strides, whose elements may be read for `'a`.
    Ok(unsafe { parts.view(view.as_ptr()) })
}

/// Mutable version of [`slice_view`].
#[inline(always)]
pub(super) fn slice_view_mut<'a, A, D: Dimension, I: SliceFor<D>>(
    mut view: ArrayViewMut<'a, A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(view.shape(), view.strides())?;
    // SAFETY: the pointer belongs to the view with this shape and these strides, whose elements may be written for
    // `'a`. The view is consumed, so nothing else accesses the elements.
    Ok(unsafe { parts.view_mut(view.as_mut_ptr()) })
}
