//! From a spec and the shape and strides of an array to a view of it.

#![allow(unsafe_code)]

use ndarray::{ArrayRef, ArrayView, ArrayViewMut, Dimension};

use super::rank::SliceFor;
use super::view_parts::ViewParts;
use crate::error::SliceError;

/// What a slice selects of an array.
#[inline(always)]
pub(super) fn view<'a, A, D: Dimension, I: SliceFor<D>>(
    array: &'a ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(array.shape(), array.strides())?;
    // SAFETY: the pointer is that of the array with this shape and these strides, which is borrowed for `'a`.
    Ok(unsafe { parts.view(array.as_ptr()) })
}

/// [`view`], or a panic that points at the caller's caller: of a dynamic rank, a view in a `Result` takes as long to be moved
/// as to be made.
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
    let filled = parts.fill(array.shape(), array.strides(), |builder| {
        spec.apply(builder)
    });
    if let Err(error) = filled {
        error.panic()
    }
    // SAFETY: as in `view`.
    unsafe { parts.view(array.as_ptr()) }
}

/// The same to be written.
#[inline(always)]
pub(super) fn view_mut<'a, A, D: Dimension, I: SliceFor<D>>(
    array: &'a mut ArrayRef<A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(array.shape(), array.strides())?;
    // SAFETY: the pointer is that of the array with this shape and these strides, which is borrowed mutably for `'a`.
    Ok(unsafe { parts.view_mut(array.as_mut_ptr()) })
}

/// What a slice selects of a view, for as long as the view would have lived.
#[inline(always)]
pub(super) fn narrow<'a, A, D: Dimension, I: SliceFor<D>>(
    view: ArrayView<'a, A, D>,
    spec: &I,
) -> Result<ArrayView<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(view.shape(), view.strides())?;
    // SAFETY: the pointer is that of the view with this shape and these strides, whose elements may be read for `'a`.
    Ok(unsafe { parts.view(view.as_ptr()) })
}

/// The same to be written.
#[inline(always)]
pub(super) fn narrow_mut<'a, A, D: Dimension, I: SliceFor<D>>(
    mut view: ArrayViewMut<'a, A, D>,
    spec: &I,
) -> Result<ArrayViewMut<'a, A, I::OutDim>, SliceError> {
    let parts = spec.parts(view.shape(), view.strides())?;
    // SAFETY: the pointer is that of the view with this shape and these strides, whose elements may be written for `'a`;
    // it is consumed, so nothing else writes them.
    Ok(unsafe { parts.view_mut(view.as_mut_ptr()) })
}
